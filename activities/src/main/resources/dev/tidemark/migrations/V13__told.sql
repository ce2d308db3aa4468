-- Whether it was told. What was raised where no channel was, the first worker with one tells, if it is not over.
-- Workers of older versions do not say: what they raise counts as told.
alter table tidemark.alert
  add column told boolean not null default true;
