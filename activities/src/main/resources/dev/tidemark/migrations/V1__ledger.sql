-- The ledger. Tables live in the schema tidemark and may change; the view public.partition_state is an API.

create sequence tidemark.token as bigint;

create table tidemark.pipeline (
  pipeline_id       integer generated always as identity primary key,
  name              text not null unique,
  revision          integer not null,
  paused_at         timestamptz,
  paused_by         text,
  removed_at        timestamptz,
  -- Start of the newest window committed when the present lookback was registered: raising the
  -- lookback does not redo history.
  lookback_floor    timestamptz,
  -- The class served last, for a pipeline that runs one partition at a time.
  served_last       text not null default 'backfill' check (served_last in ('live', 'backfill')),
  -- When the newest sweep began: what fails in it is not tried again by it.
  last_sweep_at     timestamptz
);

create table tidemark.revision (
  pipeline_id       integer not null references tidemark.pipeline,
  revision          integer not null,
  definition        jsonb not null,
  -- Hash of what changes an output's content; the whole definition's is document_hash.
  fingerprint       text not null,
  document_hash     text not null,
  registered_at     timestamptz not null default clock_timestamp(),
  registered_by     text,
  primary key (pipeline_id, revision)
);

-- How far the expected set of each slice has become rows, so that a sweep adds only what is new.
create table tidemark.expected_slice (
  pipeline_id       integer not null references tidemark.pipeline,
  slice             text not null,
  -- Start of its first expected window.
  since             timestamptz not null,
  -- End of the newest window that has a row; null before the first.
  through           timestamptz,
  revision          integer not null,
  primary key (pipeline_id, slice)
);

create table tidemark.partition_ledger (
  id                bigint generated always as identity primary key,
  pipeline_id       integer not null references tidemark.pipeline,
  slice             text not null,
  partition         text not null,
  window_start      timestamptz not null,
  window_end        timestamptz not null,
  account           text,

  -- Whether, and how, the current definition expects it.
  expected          boolean not null default true,
  skipped_at        timestamptz,                -- passed over by the catch-up policy
  excused_at        timestamptz,
  excuse            text,

  -- What people asked for, and what of it is done. running_gen is what the newest attempt delivers if
  -- it commits: set as long as that attempt has not settled, also after its lease.
  requested_gen     integer not null default 0,
  done_gen          integer not null default 0,
  running_gen       integer,

  -- The newest observation of the inputs, and when that version was first seen. A version is empty
  -- text where it was looked at and there was none, null where nobody looked.
  input_version     text,
  input_seen_at     timestamptz,
  input_observed_at timestamptz,                -- begin of the scan that last looked
  no_input          boolean not null default false, -- an input is required and none is there

  -- The last commit.
  committed_token   bigint,
  committed_at      timestamptz,
  processed_version text,
  processed_seen_at timestamptz,                -- when the processed version was first seen
  closed_through    timestamptz,                -- start of the newest closed window at its claim
  closed_lag        integer,                    -- how many windows lay between; capped; null without lookback
  predecessor       bigint,                     -- token of the predecessor's commit, stateful pipelines
  revision          integer,
  definition        text,
  output            text,
  content           text,
  rows              bigint,
  bytes             bigint,
  output_lost_at    timestamptz,                -- the store no longer has what was committed

  -- Trouble.
  attempts          integer not null default 0, -- attempts that ever began
  failures          integer not null default 0, -- failing attempts under the present claim
  failed_claims     integer not null default 0, -- claims that ended failed since the last success or reset
  failed_version    text,                       -- the input version that failed
  lost              integer not null default 0, -- attempts that vanished; crashes do not spend failures
  parked_at         timestamptz,
  next_attempt_at   timestamptz,                -- database's clock
  next_attempt_now  timestamptz,                -- the same on the clock of the claim's now
  last_error        text,

  -- The claim, and the newest attempt.
  claim_id          text,
  claim_class       text check (claim_class in ('live', 'backfill')),
  claim_reason      text,
  -- The sweep of the newest claim, where a limit per account counts by it; stays after the claim.
  claim_sweep       text,
  claim_now         timestamptz,                -- the claim's logical time
  claim_closed      timestamptz,                -- start of the newest closed window at the claim
  claim_lag         integer,
  claim_attempt     integer,                    -- Temporal's number of the newest attempt that began under it
  lease_until       timestamptz,
  token             bigint,                     -- of the newest attempt; stays after the claim
  claimed_by        text,

  -- Derived from the facts above, never written.
  asked             boolean generated always as (requested_gen > done_gen) stored,
  open              boolean generated always as (
      expected and (skipped_at is null or requested_gen > done_gen) and excused_at is null
      and parked_at is null
      and claim_id is null and not no_input
      and (requested_gen > done_gen
        or committed_token is null
        or output_lost_at is not null
        or (processed_version is not null and input_version is distinct from processed_version))
    ) stored,
  state             text generated always as (
      case
        when excused_at is not null then 'excused'
        when claim_id is not null and claim_attempt is not null then 'running'
        when claim_id is not null then 'queued'
        when parked_at is not null or failed_claims > 0 then 'failed'
        when requested_gen > done_gen then 'queued'
        when committed_token is not null then 'completed'
        else 'never_attempted'
      end
    ) stored,

  unique (pipeline_id, slice, partition),
  check (window_start < window_end),
  check ((claim_id is null) = (lease_until is null))
)
-- Every claim and settle rewrites its row: leave room on the page for the next version of it.
with (fillfactor = 70);

-- In claim order, and only what may be due: cost follows the rows due, not the rows there are. One
-- index per cause, so that each cause can be read in its order; a row is in one or two of them.
create index partition_asked on tidemark.partition_ledger (pipeline_id, window_start, slice)
  where open and asked;
create index partition_missing on tidemark.partition_ledger (pipeline_id, window_start, slice)
  where open and not asked and committed_token is null;
create index partition_late on tidemark.partition_ledger (pipeline_id, window_start, slice)
  where open and not asked and committed_token is not null;
create index partition_lost on tidemark.partition_ledger (pipeline_id, window_start)
  where open and output_lost_at is not null;
-- Committed rows that a newly closed window, or a newer definition, may ask for again.
create index partition_lookback on tidemark.partition_ledger (pipeline_id, closed_lag, window_start)
  where committed_token is not null and claim_id is null;
create index partition_definition on tidemark.partition_ledger (pipeline_id, definition, window_start)
  where committed_token is not null and claim_id is null;
-- Nearly all rows have one lag and one definition, and what is asked for is nearly always another: counted as it is,
-- the planner would expect every row to match, and walk all windows in order rather than use these two indexes.
alter table tidemark.partition_ledger
  alter column closed_lag set (n_distinct = 1000),
  alter column definition set (n_distinct = 1000);
-- Waiting for a retry: when to look again.
create index partition_waiting on tidemark.partition_ledger (pipeline_id, next_attempt_at)
  where next_attempt_at is not null and claim_id is null and parked_at is null;
-- Live claims: for caps, which are counted and never kept in a counter, and for expiry. They are few,
-- at most limits.parallel of a pipeline, so the lease is no key: a begin and a renewal then change no
-- indexed column, and touch no index at all (heap-only updates).
create index partition_live on tidemark.partition_ledger (pipeline_id) where claim_id is not null;
create index partition_claim on tidemark.partition_ledger (claim_id) where claim_id is not null;
create index partition_sweep on tidemark.partition_ledger (pipeline_id, claim_sweep)
  where claim_sweep is not null;
-- Pages and ranges. No index may mention the state: it changes with each begin.
create index partition_window on tidemark.partition_ledger (pipeline_id, window_start);

create table tidemark.attempt (
  token             bigint primary key,
  row_id            bigint not null references tidemark.partition_ledger on delete cascade,
  claim_id          text not null,
  attempt           integer not null,
  began_at          timestamptz not null default clock_timestamp(),
  ended_at          timestamptz,
  outcome           text check (outcome in
      ('committed', 'failed', 'parked', 'not_ready', 'lost', 'superseded', 'released')),
  error             text,
  log               text,                       -- the last lines that the task printed, bounded
  input_version     text,
  input_seen_at     timestamptz,
  claimed_by        text not null,
  intent            jsonb,                      -- what it is about to publish, recorded before it does
  -- What a commit of it delivers, as it was at its claim and its begin.
  gen               integer not null,
  closed_through    timestamptz,
  closed_lag        integer,
  revision          integer not null,
  definition        text not null
);
create index attempt_row on tidemark.attempt (row_id, token);

-- What was pushed: a partition's input changed.
create table tidemark.push (
  pipeline_id       integer not null references tidemark.pipeline,
  slice             text not null,
  partition         text not null,
  version           text not null,
  pushed_at         timestamptz not null default clock_timestamp(),
  primary key (pipeline_id, slice, partition)
);

create table tidemark.backfill (
  backfill_id       text primary key,
  pipeline_id       integer not null references tidemark.pipeline,
  request_id        text not null,
  requested_at      timestamptz not null default clock_timestamp(),
  requested_by      text,
  reason            text,
  first             text not null,              -- labels, both inclusive, as asked
  last              text not null,
  slice             text not null default '',   -- the filter, canonical text
  mode              text not null,
  newest_first      boolean,                    -- null: the pipeline's order
  parallel          integer,                    -- null: the pipeline's
  params            jsonb not null default '{}',
  already_requested integer not null default 0,
  state             text not null check (state in
      ('requested', 'running', 'paused', 'completed', 'failed', 'cancelled', 'rejected')),
  error             text,
  ended_at          timestamptz,
  unique (pipeline_id, request_id)
);
create index backfill_active on tidemark.backfill (pipeline_id)
  where state in ('requested', 'running', 'paused', 'failed');

create table tidemark.backfill_item (
  backfill_id       text not null references tidemark.backfill on delete cascade,
  row_id            bigint not null references tidemark.partition_ledger on delete cascade,
  wanted_gen        integer not null,
  state             text not null default 'requested' check (state in ('requested', 'completed', 'cancelled')),
  cancelled_because text,                       -- a reason code
  primary key (backfill_id, row_id)
);
create index backfill_item_open on tidemark.backfill_item (row_id) where state = 'requested';
create index backfill_item_left on tidemark.backfill_item (backfill_id) where state = 'requested';

create view public.partition_state as
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
           and (l.processed_version is null
             or l.input_version is not distinct from l.processed_version) then 'up_to_date'
         when not l.asked and l.skipped_at is not null then 'skipped_by_catch_up'
         when l.no_input then 'no_input'
         when l.next_attempt_at > clock_timestamp() then 'waiting_for_retry'
         when l.asked then 'requested'
         when l.failed_claims > 0 then 'retry'
         when l.committed_token is null then 'missing'
         when l.output_lost_at is not null then 'lost_output'
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
