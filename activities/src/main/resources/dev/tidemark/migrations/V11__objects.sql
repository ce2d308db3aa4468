-- Object types: their indexes, the builds that keep them, and the edits of people.

create table tidemark.object_type (
  object_type_id    integer generated always as identity primary key,
  name              text not null,
  -- The index that queries are answered from: a switch is this one value. Null until the first build has succeeded.
  serving_index_id  bigint,
  -- What it was before, for a rollback; kept up to date no longer.
  previous_index_id bigint,
  -- The newest edit's: edits are numbered without gaps, one after another, so that whoever knows one knows all before it.
  edit_offset       bigint not null default 0,
  -- Asked for by a person, and not yet begun.
  full_asked_at     timestamptz,
  full_asked_by     text,
  -- Somebody has undertaken to wake it.
  woken_at          timestamptz,
  removed_at        timestamptz
);
create unique index object_type_name on tidemark.object_type (name) where removed_at is null;

-- An index of an object type with one definition: the live one, one that is to replace it, or one that was replaced.
create table tidemark.object_index (
  object_index_id   bigint generated always as identity primary key,
  object_type_id    integer not null references tidemark.object_type,
  revision          integer not null,
  definition        jsonb not null,
  role              text not null check (role in ('live', 'replacement', 'replaced', 'failed')),
  cause             text not null,              -- why it was made
  -- What becomes of edits made under earlier definitions: [{"through": offset, "migrations": [...]}], the oldest first.
  migrations        jsonb not null default '[]',
  created_at        timestamptz not null default clock_timestamp(),
  -- Of the newest build that has succeeded; 0 before the first.
  generation        bigint not null default 0,
  -- Where that build's index is: the address of its manifest.
  manifest          text,
  objects           bigint,                     -- that can be seen
  edit_offset       bigint not null default 0,  -- edits up to here are in it
  -- The newest build's: only its holder may write. Grows for ever.
  token             bigint not null default 0,
  -- The newest look at its datasources that was remembered: one that began before it knows less.
  look              bigint not null default 0,
  switched_at       timestamptz,                -- when queries began to be answered from it
  ended_at          timestamptz,
  ended_because     text,
  unique (object_type_id, revision)
);
create unique index object_index_live on tidemark.object_index (object_type_id) where role = 'live';
create unique index object_index_replacement on tidemark.object_index (object_type_id) where role = 'replacement';
create sequence tidemark.object_token;
create sequence tidemark.object_look;

-- Never given twice: rows name the transaction that gave them, also one that is forgotten.
create sequence tidemark.object_transaction_number;
-- What a datasource has brought, in the order in which it was first seen.
create table tidemark.object_transaction (
  object_index_id   bigint not null references tidemark.object_index,
  datasource        text not null,
  number            bigint not null,
  identity          text not null,              -- what of the datasource: a partition, a file, or all
  version           text not null,              -- the token or fingerprint of what was read
  committed_at      timestamptz not null,       -- by its source, as far as that is known
  generation        bigint,                     -- of the build that has taken it in; null while one does
  rows              bigint,
  removed_at        timestamptz,                -- it is not in the datasource any more
  primary key (object_index_id, datasource, number)
);

create table tidemark.object_build (
  build_id          bigint generated always as identity primary key,
  object_index_id   bigint not null references tidemark.object_index,
  generation        bigint not null,            -- that it makes; one that failed made none
  token             bigint not null,
  cause             text not null,              -- source, edits, schema, asked, share, view, retention
  full_build        boolean not null,
  state             text not null check (state in ('running', 'completed', 'failed', 'superseded')),
  through_edit      bigint not null,            -- edits up to here are its input
  -- What was new when it began: one that failed for its data is not tried again with the same.
  input             text not null,
  bad_data          boolean not null default false,
  lease_until       timestamptz not null,
  began_at          timestamptz not null default clock_timestamp(),
  ended_at          timestamptz,
  changed           bigint,                     -- keys that differ from the generation before
  objects           bigint,
  error             text
);
create unique index object_build_token on tidemark.object_build (token);
create index object_build_newest on tidemark.object_build (object_index_id, build_id desc);
create unique index object_build_running on tidemark.object_build (object_index_id) where state = 'running';

-- The jobs of a build, as people see them (D30 to D33): a changelog for each datasource, merge, index, and hydrate for each process.
create table tidemark.object_job (
  job_id            bigint generated always as identity primary key,
  build_id          bigint not null references tidemark.object_build,
  stage             text not null check (stage in ('changelog', 'merge', 'index', 'hydrate')),
  subject           text not null default '',   -- the datasource of a changelog, the process of a hydrate
  state             text not null check (state in ('running', 'completed', 'failed')),
  attempt           integer not null default 1,
  began_at          timestamptz not null default clock_timestamp(),
  ended_at          timestamptz,
  manifest          text,                       -- address of what it published
  rows              bigint,
  bytes             bigint,
  error             text,
  unique (build_id, stage, subject)
);

create table tidemark.object_edit (
  object_type_id    integer not null references tidemark.object_type,
  edit_offset       bigint not null,
  request_id        text not null,
  key               text not null,
  action            text not null check (action in ('create', 'set', 'delete')),
  values            jsonb not null,
  made_at           timestamptz not null default clock_timestamp(),
  made_by           text not null,
  primary key (object_type_id, edit_offset),
  unique (object_type_id, request_id)
);

-- What each process that answers queries has open; one that is not seen any more does not count.
create table tidemark.object_serving (
  object_type_id    integer not null references tidemark.object_type,
  process           text not null,
  object_index_id   bigint not null references tidemark.object_index,
  generation        bigint not null,            -- hydrated and open, whether or not it is the one that is served
  edit_offset       bigint not null,
  hydrated_at       timestamptz,                -- null before the first
  error             text,                       -- why it has not got a newer generation
  seen_until        timestamptz not null,
  primary key (process, object_index_id)
);
