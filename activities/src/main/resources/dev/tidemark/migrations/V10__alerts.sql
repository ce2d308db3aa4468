-- Alerts, and the messages that tell people of them.

-- What is wrong, once for as long as it is: of two monitors that find the same, one inserts it.
create table tidemark.alert (
  alert_id          bigint generated always as identity primary key,
  pipeline_id       integer not null references tidemark.pipeline,
  rule              text not null,
  -- What it is about: a partition, or an account.
  slice             text not null default '',
  partition         text not null default '',
  account           text not null default '',
  window_start      timestamptz,
  detail            text,
  raised_at         timestamptz not null default clock_timestamp(),
  recovered_at      timestamptz,
  recovered_because text
);
create unique index alert_open on tidemark.alert (pipeline_id, rule, slice, partition, account)
  where recovered_at is null;
create index alert_recovered on tidemark.alert (pipeline_id, rule, recovered_at)
  where recovered_at is not null;

-- Written in the transaction that raises or recovers, delivered later: no crash loses one.
create table tidemark.notification (
  notification_id   bigint generated always as identity primary key,
  pipeline_id       integer not null references tidemark.pipeline,
  channel           text not null,              -- its name; where that leads is not in the ledger
  message           jsonb not null,
  created_at        timestamptz not null default clock_timestamp(),
  tries             integer not null default 0,
  next_try_at       timestamptz not null default clock_timestamp(),
  leased_until      timestamptz,                -- somebody is sending it
  sent_at           timestamptz,
  given_up_at       timestamptz,
  last_error        text
);
create index notification_pending on tidemark.notification (channel, pipeline_id, notification_id)
  where sent_at is null and given_up_at is null;
create index notification_done on tidemark.notification (created_at)
  where sent_at is not null or given_up_at is not null;

-- All that is not simply done: what alerts and metrics look at costs as much as there is of it, and not as much as there are rows. It
-- mentions nothing that a begin or a renewal changes.
create index partition_attention on tidemark.partition_ledger (pipeline_id, window_start)
  where expected
    and (committed_token is null or output_lost_at is not null or failed_claims > 0
      or parked_at is not null or excused_at is not null or claim_id is not null
      or requested_gen > done_gen
      or (processed_version is not null and input_version is distinct from processed_version));
