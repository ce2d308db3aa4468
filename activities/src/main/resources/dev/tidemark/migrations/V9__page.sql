-- What people did on the page or by its API: written before anything is done, and completed after it.
create table tidemark.audit (
  audit_id   bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  who        text not null,
  came_from  text not null,                     -- the address that the request came from
  action     text not null,
  pipeline   text,                              -- its name, as it was then; null where it is about none
  detail     jsonb not null,                    -- what was asked for
  ended_at   timestamptz,                       -- null: under way, or cut off by the end of the process
  outcome    text check (outcome in ('done', 'refused', 'failed')),
  message    text                               -- why it was refused or failed
);
create index audit_pipeline on tidemark.audit (pipeline, audit_id);

-- One word for how a partition stands, as the page shows it: of several that are true, the one that people need to know first.
create view tidemark.partition_kind as
select l.id, l.pipeline_id, l.slice, l.account, l.window_start, l.rows, l.bytes,
       case
         when l.state = 'failed' and l.parked_at is not null then 'parked'
         when l.state <> 'completed' and l.state <> 'never_attempted' then l.state
         when l.state = 'never_attempted' and l.skipped_at is not null then 'skipped'
         when l.state = 'never_attempted' then 'missing'
         when l.output_lost_at is not null then 'lost'
         when l.processed_version is not null and l.input_version is distinct from l.processed_version then 'late'
         else 'complete'
       end as kind
  from tidemark.partition_ledger l
 where l.expected;

-- What fails, newest first: few rows of many.
create index partition_failing on tidemark.partition_ledger (pipeline_id, window_start)
  where parked_at is not null or failed_claims > 0;
