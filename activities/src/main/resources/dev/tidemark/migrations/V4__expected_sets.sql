-- Slices that end, and what a sweep has committed.

alter table tidemark.expected_slice
  -- Start of the first window that has the slice no more; null for no end.
  add column until timestamptz,
  -- Its since is where retention ends, rather than where the slice begins.
  add column retained boolean not null default false;

-- How many files the last commit has; null where not known.
alter table tidemark.partition_ledger add column if not exists files integer;
