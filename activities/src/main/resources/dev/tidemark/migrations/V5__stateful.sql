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
