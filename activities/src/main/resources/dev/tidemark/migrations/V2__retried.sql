-- When a person had a failed or parked partition tried again: it stays failed, with the reason retry, until its next claim,
-- which starts counting its failures anew.
alter table tidemark.partition_ledger add column retried_at timestamptz;
