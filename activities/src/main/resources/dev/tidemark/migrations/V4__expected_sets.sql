-- Slices that end.

alter table tidemark.expected_slice
  -- Start of the first window that has the slice no more; null for no end.
  add column until timestamptz,
  -- Its since is where retention ends, rather than where the slice begins.
  add column retained boolean not null default false;
