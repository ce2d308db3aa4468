-- Whether it was told, and whether its end was. What was raised or ended where no channel was, the first worker with
-- one tells; what was over by then without having been told, nobody does.
-- Workers of older versions do not say: what they raise and end counts as told.
alter table tidemark.alert
  add column told boolean not null default true,
  add column recovery_told boolean not null default true;

create index alert_recovery_untold on tidemark.alert (pipeline_id)
  where recovered_at is not null and not recovery_told;
