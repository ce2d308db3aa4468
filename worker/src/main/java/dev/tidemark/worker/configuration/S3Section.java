package dev.tidemark.worker.configuration;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.connection.Destinations;
import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code s3} of a connection. */
final class S3Section {
  private static final String SQL = "sql";
  private static final String ACCESS_KEY = "access-key";
  private static final String SECRET_KEY = "secret-key";
  private static final String PROFILE = "profile";

  private S3Section() {}

  /** The store, or null where it cannot be read, which is then reported. */
  static @Nullable ConnectionSettings read(Section section) {
    if (section.has(SQL)) {
      return destinations(section);
    }
    section.only(
        List.of("bucket", "region", "endpoint", "path-style", ACCESS_KEY, SECRET_KEY, PROFILE),
        Later.KEYS);
    String bucket = section.require("bucket", Types.BUCKET);
    String region = section.get("region", Type.TEXT);
    String endpoint = section.get("endpoint", Types.ENDPOINT);
    boolean pathStyle = section.get("path-style", Types.FLAG, false);
    Bucket.Credentials credentials = credentials(section);
    return bucket == null || credentials == null
        ? null
        : new ConnectionSettings.S3(
            new Bucket.Place(bucket, region, endpoint, pathStyle), credentials);
  }

  /** A row of a database for each account. */
  private static @Nullable ConnectionSettings destinations(Section section) {
    section.only(List.of(SQL, "connection"), Later.KEYS);
    String sql = section.require(SQL, Type.TEXT);
    String connection = section.require("connection", Type.TEXT);
    if (sql != null
        && !Set.copyOf(NamedSql.parse(sql).names()).equals(Set.of(Destinations.ACCOUNT))) {
      section.problem(
          SQL, "must have the parameter :" + Destinations.ACCOUNT + ", and no other: whose row");
      return null;
    }
    return sql == null || connection == null
        ? null
        : new ConnectionSettings.Destinations(sql, connection);
  }

  private static Bucket.@Nullable Credentials credentials(Section section) {
    boolean keys = section.has(ACCESS_KEY) || section.has(SECRET_KEY);
    if (keys && section.has(PROFILE)) {
      section.problem(PROFILE, "and " + ACCESS_KEY + " exclude each other; keep one");
      return null;
    }
    if (keys) {
      String accessKey = section.require(ACCESS_KEY, Type.TEXT);
      String secretKey = section.require(SECRET_KEY, Type.TEXT);
      return accessKey == null || secretKey == null
          ? null
          : new Bucket.Credentials.Keys(accessKey, secretKey);
    }
    String profile = section.get(PROFILE, Type.TEXT);
    return profile == null ? Bucket.Credentials.DEFAULT : new Bucket.Credentials.Profile(profile);
  }
}
