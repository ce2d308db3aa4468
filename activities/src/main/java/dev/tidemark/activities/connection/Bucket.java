package dev.tidemark.activities.connection;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A bucket of an S3 store, and the client that reaches it, made by its first use. Every call is
 * bounded in time and repeated by the SDK where repeating may help.
 */
public final class Bucket implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Between two reads of a socket; a store that completes a large object is silent for long. */
  private static final Duration SOCKET_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  /** Stores that are not Amazon's need a region to sign with, and do not look at it. */
  private static final Region ANY_REGION = Region.US_EAST_1;

  /** Ends the calls of all clients in time; of its own each would keep five threads. */
  private static final ScheduledExecutorService TIMEOUTS =
      Executors.newScheduledThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "tidemark-s3-timeouts");
            thread.setDaemon(true);
            return thread;
          });

  private final Place place;
  private final Credentials credentials;
  private @Nullable S3Client client;

  public Bucket(Place place, Credentials credentials) {
    this.place = place;
    this.credentials = credentials;
  }

  public String name() {
    return place.bucket();
  }

  /** Where it is, for people: {@code s3://exports} and the endpoint, if it is not Amazon's own. */
  public String address() {
    return "s3://" + place.bucket() + (place.endpoint() == null ? "" : " at " + place.endpoint());
  }

  /**
   * The client; it is closed with the bucket.
   *
   * @throws software.amazon.awssdk.core.exception.SdkClientException if no region or credentials
   *     can be found
   */
  public synchronized S3Client client() {
    S3Client made = client;
    if (made == null) {
      made = connect();
      client = made;
    }
    return made;
  }

  private S3Client connect() {
    var builder =
        S3Client.builder()
            .region(region())
            .credentialsProvider(credentials.provider())
            .forcePathStyle(place.pathStyle())
            // A checksum is sent where one was computed from what is sent, and not as a trailer,
            // which many stores do not understand.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_SUPPORTED)
            .serviceConfiguration(s3 -> s3.expectContinueEnabled(false))
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(SOCKET_TIMEOUT))
            .overrideConfiguration(
                ClientOverrideConfiguration.builder()
                    .retryStrategy(RetryMode.STANDARD)
                    .apiCallAttemptTimeout(ATTEMPT_TIMEOUT)
                    .apiCallTimeout(CALL_TIMEOUT)
                    .scheduledExecutorService(TIMEOUTS)
                    .build());
    if (place.endpoint() != null) {
      builder.endpointOverride(URI.create(place.endpoint()));
    }
    return builder.build();
  }

  private Region region() {
    if (place.region() != null) {
      return Region.of(place.region());
    }
    if (place.endpoint() != null) {
      return ANY_REGION;
    }
    DefaultAwsRegionProviderChain.Builder chain = DefaultAwsRegionProviderChain.builder();
    if (credentials instanceof Credentials.Profile profile) {
      chain.profileName(profile.name());
    }
    return chain.build().getRegion();
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  @Override
  public String toString() {
    return address();
  }

  /**
   * Where a bucket is.
   *
   * @param region null for the environment's, or any where there is an endpoint
   * @param endpoint null for Amazon's own
   * @param pathStyle whether the bucket is in the path, not in the host's name
   */
  public record Place(
      String bucket, @Nullable String region, @Nullable String endpoint, boolean pathStyle) {}

  /** Who asks. */
  public sealed interface Credentials {
    /** The SDK's default chain: environment, the default profile, the machine's or pod's role. */
    Credentials DEFAULT = new Default();

    AwsCredentialsProvider provider();

    /** A pair of keys. */
    record Keys(String accessKey, String secretKey) implements Credentials {
      @Override
      public AwsCredentialsProvider provider() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey));
      }

      /** Without the secret. */
      @Override
      public String toString() {
        return "Keys[accessKey=" + accessKey + "]";
      }
    }

    /** A profile of the shared configuration files. */
    record Profile(String name) implements Credentials {
      @Override
      public AwsCredentialsProvider provider() {
        return ProfileCredentialsProvider.create(name);
      }
    }

    /** What the environment gives. */
    record Default() implements Credentials {
      @Override
      public AwsCredentialsProvider provider() {
        return DefaultCredentialsProvider.builder().build();
      }
    }
  }
}
