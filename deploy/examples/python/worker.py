"""Runs partitions of Tidemark in Python: adds up the numbers in a day's file."""

import asyncio
import json
import os
from datetime import timedelta
from pathlib import Path

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.common import RetryPolicy
from temporalio.exceptions import ApplicationError
from temporalio.worker import Worker


def add_up(source: Path, output: Path) -> dict:
    amounts = [int(line) for line in source.read_text().split()]
    (output / "total.json").write_text(json.dumps({"total": sum(amounts)}))
    return {"files": ["total.json"], "rows": len(amounts)}


@activity.defn(name="AddUp")
async def add_up_a_partition(task: dict) -> dict:
    source = Path("input", task["partition"] + ".txt")
    if not source.exists():
        raise ApplicationError(f"{source} is not there yet", type="TidemarkNotReady")
    work = asyncio.create_task(asyncio.to_thread(add_up, source, Path(task["output"])))
    while not work.done():
        activity.heartbeat()  # says that this worker lives, and hears of a cancellation
        await asyncio.wait([work], timeout=1)
    return work.result()


@workflow.defn(name="AddUpInSteps")
class AddUpInSteps:
    @workflow.run
    async def run(self, task: dict) -> dict:
        return await workflow.execute_activity(
            add_up_a_partition,
            task,
            start_to_close_timeout=timedelta(minutes=10),
            heartbeat_timeout=timedelta(seconds=10),
            retry_policy=RetryPolicy(maximum_attempts=1),  # Tidemark retries
        )


async def main() -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"))
    queue = os.environ.get("TASK_QUEUE", "python")
    print(f"serves task queue {queue}", flush=True)
    await Worker(
        client, task_queue=queue, workflows=[AddUpInSteps], activities=[add_up_a_partition]
    ).run()


if __name__ == "__main__":
    asyncio.run(main())
