package dev.tidemark.starter.documentation;

import dev.tidemark.worker.plugin.Output;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.plugin.TidemarkPlugin;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import java.time.Duration;
import java.time.ZoneId;
import javax.sql.DataSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of docs/recipes.md. */
@Configuration
class Pipelines {
  @Bean
  TidemarkPlugin tidemark(DataSource ledger, SalesTask sales) {
    return TidemarkPlugin.newBuilder()
        .setLedger(ledger)
        .addPipeline(
            Pipeline.named("daily-sales")
                .daily(ZoneId.of("Europe/Istanbul"))
                .from("2026-01-01")
                .task(sales, Duration.ofMinutes(10))
                .output(Output.hive("out"))
                .build())
        .build();
  }

  @Bean
  TemporalOptionsCustomizer<WorkflowClientOptions.Builder> plugins(TidemarkPlugin tidemark) {
    return options -> options.setPlugins(tidemark);
  }

  @Bean
  ApplicationRunner register(TidemarkPlugin tidemark, WorkflowClient client) {
    return arguments -> {
      tidemark.migrate();
      tidemark.apply(client);
    };
  }
}
