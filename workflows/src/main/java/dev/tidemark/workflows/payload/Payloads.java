package dev.tidemark.workflows.payload;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;

/**
 * How records become JSON, on their way through Temporal and into the ledger: java.time as ISO text
 * (durations too), record components and nothing else as properties, nulls kept, unknown properties
 * ignored, so that older code reads what newer code wrote.
 *
 * <p>Temporal's default converter can exchange every wire record with this one: a client of another
 * application needs no setting.
 */
public final class Payloads {
  private static final ObjectMapper MAPPER =
      JacksonJsonPayloadConverter.newDefaultObjectMapper()
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          // A helper such as isAsked() is no property; as one, it would not read back.
          .setVisibility(PropertyAccessor.GETTER, Visibility.NONE)
          .setVisibility(PropertyAccessor.IS_GETTER, Visibility.NONE);

  private Payloads() {}

  /** A mapper of the caller's own: changing it changes nothing else. */
  public static ObjectMapper mapper() {
    return MAPPER.copy();
  }

  /** The converter for Tidemark's own clients and workers. */
  public static DataConverter dataConverter() {
    return DefaultDataConverter.newDefaultInstance()
        .withPayloadConverterOverrides(new JacksonJsonPayloadConverter(mapper()));
  }
}
