-- Stateful pipelines: each window builds on the one before it in its slice.

alter table tidemark.partition_ledger
  -- Token of the newest commit of the window before it, 0 where there is none; null where the pipeline is not stateful. Whoever changes
  -- that commit, or which window comes before, writes it here in the same transaction: so that a change is found without a search.
  add column predecessor_now bigint,
  -- No newer window of the slice may start: not committed, asked for, lost, or claimed.
  add column unsettled boolean generated always as (
      predecessor_now is not null and expected and excused_at is null
      and (skipped_at is null or requested_gen > done_gen)
      and (committed_token is null or output_lost_at is not null or claim_id is not null
        or requested_gen > done_gen)
    ) stored,
  -- The same where it lies within what is accepted: late, or its predecessor was committed again.
  add column outdated boolean generated always as (
      predecessor_now is not null and expected and excused_at is null and skipped_at is null
      and committed_token is not null
      and (input_version <> processed_version
        or (predecessor_now > 0 and predecessor <> predecessor_now))
    ) stored;

alter table tidemark.attempt
  -- The predecessor_now that it began with.
  add column predecessor bigint;

create index partition_chain on tidemark.partition_ledger (pipeline_id, slice, window_start)
  where predecessor_now is not null;
create index partition_unsettled on tidemark.partition_ledger (pipeline_id, slice, window_start)
  where unsettled;
create index partition_outdated on tidemark.partition_ledger (pipeline_id, slice, window_start)
  where outdated;
create index partition_parked on tidemark.partition_ledger (pipeline_id, slice, window_start)
  where parked_at is not null and predecessor_now is not null;

-- Excused, skipped and unexpected windows are passed over.
create function tidemark.predecessor_token(of_pipeline integer, of_slice text, of_start timestamptz)
  returns bigint language sql stable as $$
    select coalesce((
      select coalesce(l.committed_token, 0)
        from tidemark.partition_ledger l
       where l.pipeline_id = of_pipeline and l.slice = of_slice and l.window_start < of_start
         and l.predecessor_now is not null
         and l.expected and l.excused_at is null and l.skipped_at is null
       order by l.window_start desc
       limit 1), 0)
  $$;

create function tidemark.successor(of_pipeline integer, of_slice text, of_start timestamptz)
  returns bigint language sql stable as $$
    select l.id
      from tidemark.partition_ledger l
     where l.pipeline_id = of_pipeline and l.slice = of_slice and l.window_start > of_start
       and l.predecessor_now is not null
       and l.expected and l.excused_at is null and l.skipped_at is null
     order by l.window_start
     limit 1
  $$;

-- The same columns; a committed window whose predecessor was committed again has the reason chain.
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
