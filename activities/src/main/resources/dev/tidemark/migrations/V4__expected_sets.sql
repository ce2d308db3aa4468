-- Slices that end, and what a sweep has committed.

-- Start of the first window that has the slice no more; null for no end.
alter table tidemark.expected_slice add column until timestamptz;

-- How many files the last commit has; null where not known.
alter table tidemark.partition_ledger add column if not exists files integer;
