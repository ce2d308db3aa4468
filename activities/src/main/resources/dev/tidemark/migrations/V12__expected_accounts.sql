-- Whether anything of an account is expected: the breaker of one that has left is closed. Nothing that a claim or an attempt
-- changes is in it.
create index partition_expected_account
  on tidemark.partition_ledger (pipeline_id, account collate "C")
  where expected and account is not null;
