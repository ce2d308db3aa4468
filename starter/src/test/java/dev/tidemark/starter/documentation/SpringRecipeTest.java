package dev.tidemark.starter.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.worker.plugin.TidemarkPlugin;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.ResolvableType;

/** The recipe's beans in a context of Spring's, without the servers. */
class SpringRecipeTest {
  @Test
  void theClientOfTheApplicationGetsThePlugin() {
    WorkflowServiceStubs nobody =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget("127.0.0.1:1").build());
    try (AnnotationConfigApplicationContext application =
        new AnnotationConfigApplicationContext()) {
      application.registerBean(DataSource.class, PGSimpleDataSource::new);
      application.registerBean(SalesTask.class);
      application.registerBean(WorkflowClient.class, () -> WorkflowClient.newInstance(nobody));
      application.register(Pipelines.class);
      application.refresh();

      WorkflowClientOptions.Builder options = WorkflowClientOptions.newBuilder();
      application
          .<TemporalOptionsCustomizer<WorkflowClientOptions.Builder>>getBeanProvider(
              ResolvableType.forClassWithGenerics(
                  TemporalOptionsCustomizer.class, WorkflowClientOptions.Builder.class))
          .getObject()
          .customize(options);

      assertThat(options.build().getPlugins())
          .containsExactly(application.getBean(TidemarkPlugin.class));
      assertThat(application.getBeansOfType(ApplicationRunner.class)).hasSize(1);
    } finally {
      nobody.shutdownNow();
      nobody.awaitTermination(5, TimeUnit.SECONDS);
    }
  }
}
