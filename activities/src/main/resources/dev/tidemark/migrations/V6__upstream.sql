-- Pipelines that read other pipelines.

-- What of an upstream pipeline a partition waits for; null where it waits for none. no_input is set with it, so that the
-- row is not open.
alter table tidemark.partition_ledger add column upstream_hold text;
create index partition_held on tidemark.partition_ledger (pipeline_id) where upstream_hold is not null;

-- When somebody undertook to wake it, until the pass that this leads to begins.
alter table tidemark.pipeline add column woken_at timestamptz;

create or replace view public.partition_state as
select p.name as pipeline,
       l.slice,
       l.partition,
       l.window_start,
       l.window_end,
       l.state,
       l.parked_at is not null as parked,
       l.committed_token is not null and l.processed_version is not null
         and l.input_version is distinct from l.processed_version and l.claim_id is null as late,
       l.asked as requested,
       case
         when l.claim_id is not null then 'running'
         when l.excused_at is not null then 'excused'
         when l.parked_at is not null then 'parked'
         when not l.asked and l.committed_token is not null and l.output_lost_at is null
           and not l.outdated
           and (l.processed_version is null
             or l.input_version is not distinct from l.processed_version) then 'up_to_date'
         when not l.asked and l.skipped_at is not null then 'skipped_by_catch_up'
         when l.upstream_hold is not null then 'upstream_not_ready'
         when l.no_input then 'no_input'
         when l.next_attempt_at > clock_timestamp() then 'waiting_for_retry'
         when l.asked then 'requested'
         when l.failed_claims > 0 then 'retry'
         when l.committed_token is null then 'missing'
         when l.output_lost_at is not null then 'lost_output'
         when l.outdated and l.input_version is not distinct from l.processed_version then 'chain'
         else 'late'
       end as reason,
       l.account,
       l.input_seen_at as last_update_time,
       l.processed_seen_at as last_processed_time,
       l.claim_id is not null as is_processed,
       nullif(l.input_version, '') as input_version,
       nullif(l.processed_version, '') as processed_version,
       l.attempts,
       l.next_attempt_at,
       l.claimed_by,
       l.lease_until,
       l.output,
       l.rows,
       l.bytes,
       l.last_error
  from tidemark.partition_ledger l
  join tidemark.pipeline p using (pipeline_id)
 where p.removed_at is null
   and l.expected;
