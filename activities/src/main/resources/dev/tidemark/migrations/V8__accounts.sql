-- Accounts take turns, and one whose destination refuses it is left alone.

-- What is due of each account, in the order of the accounts: a claim walks from account to account, each as one step,
-- however many rows an account has. One index per cause, as without accounts; rows of no account are in none of them.
create index partition_asked_account
  on tidemark.partition_ledger (pipeline_id, account collate "C", window_start, slice)
  where open and asked and account is not null;
create index partition_missing_account
  on tidemark.partition_ledger (pipeline_id, account collate "C", window_start, slice)
  where open and not asked and committed_token is null and account is not null;
create index partition_late_account
  on tidemark.partition_ledger (pipeline_id, account collate "C", window_start, slice)
  where open and not asked and committed_token is not null and account is not null;
create index partition_lookback_account
  on tidemark.partition_ledger (pipeline_id, closed_lag, account collate "C", window_start)
  where committed_token is not null and claim_id is null and account is not null;
create index partition_definition_account
  on tidemark.partition_ledger (pipeline_id, definition, account collate "C", window_start)
  where committed_token is not null and claim_id is null and account is not null;

-- Rows that were made before their pipeline had an account. Values are percent-encoded in a slice.
update tidemark.partition_ledger l
   set account = (
         select convert_from(string_agg(
                  case when byte[1] is not null then decode(substr(byte[1], 2), 'hex')
                       else convert_to(byte[2], 'UTF8') end, ''::bytea order by n), 'UTF8')
           from regexp_matches(
                  substring(l.slice from '(?:^|/)' || (r.definition -> 'extent' ->> 'account') || '=([^/]*)'),
                  '(%[0-9A-Fa-f]{2})|(.)', 'g') with ordinality as encoded (byte, n))
  from tidemark.pipeline p
  join tidemark.revision r on r.pipeline_id = p.pipeline_id and r.revision = p.revision
 where l.pipeline_id = p.pipeline_id and l.account is null
   and r.definition -> 'extent' ->> 'account' is not null;

-- Whose turn it was last, of each class, and how many it has had in that turn. Nothing is wrong without it: the turns
-- then begin with the first account.
create table tidemark.turn (
  pipeline_id       integer not null references tidemark.pipeline,
  class             text not null check (class in ('live', 'backfill')),
  account           text not null,
  taken             integer not null,
  primary key (pipeline_id, class)
);


-- What the destination of an account has refused in a row, since the account's last commit: settled attempts write it, and
-- claims go by it. Opened and not closed: of this account nothing is claimed until then, and after it one partition at a time.
create table tidemark.breaker (
  pipeline_id       integer not null references tidemark.pipeline,
  account           text not null,
  refusals          integer not null,
  refused_at        timestamptz not null,       -- the newest of them
  last_error        text not null,
  opened_at         timestamptz,                -- null while there are too few
  until             timestamptz,
  closed_at         timestamptz,                -- a commit of the account was seen since
  primary key (pipeline_id, account)
);

-- Whether an account has committed anything since.
create index partition_committed_account
  on tidemark.partition_ledger (pipeline_id, account collate "C", committed_at)
  where account is not null and committed_at is not null;
