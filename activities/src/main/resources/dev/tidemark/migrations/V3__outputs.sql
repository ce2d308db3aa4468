-- What is compared between the ledger and the stores.

-- How many parts the last commit has; null where it is not known, or its files are not named by tokens (adopted).
alter table tidemark.partition_ledger add column files integer;

alter table tidemark.pipeline
  -- The last partition that a sweep compared, where one sweep cannot compare all; null: from the beginning.
  add column checked_slice         text,
  add column checked_partition     text,
  -- How many were missing in the parts of the present round that are compared, and were not believed to be.
  add column outputs_counted       integer not null default 0,
  -- So many outputs were missing at once that none was made due: a person decides.
  add column outputs_missing       integer,
  add column outputs_missing_since timestamptz;
