-- The steps of a settle that serve stateful pipelines looked for their rows all over the table on connections that had planned them
-- while it was small: what a commit cost grew with the rows that there are.

-- One element of each array per commit; new_committed names an earlier attempt's token where that one published. An attempt that
-- is not the newest of its row is left out of the answer, and nothing is written for it.
create or replace function tidemark.settle_commits(
    of_tokens bigint[], new_committed bigint[], new_outputs text[], new_contents text[], new_rows bigint[],
    new_bytes bigint[], new_files integer[], new_logs text[], new_lock_timeout text)
  returns table (settled_token bigint, is_changed boolean)
  language plpgsql as $$
  declare
    touched bigint[];
    is_stateful boolean;
  begin
    perform set_config('lock_timeout', new_lock_timeout, true);

    -- The limits limit nothing: because of them the planner expects a single row, and looks rows up by their keys, also where it
    -- planned while the tables were empty. So it does in each step below.
    select array_agg(l.id), bool_or(l.predecessor_now is not null)
      into touched, is_stateful
      from (select r.token from unnest(of_tokens) as r (token) limit (select cardinality(of_tokens))) r
     cross join lateral (select a.row_id from tidemark.attempt a where a.token = r.token offset 0) a
      join tidemark.partition_ledger l on l.id = a.row_id;

    -- The window after each learns of the commit in the same transaction. It is locked with the others, and which one it is does
    -- not change meanwhile.
    if is_stateful then
      perform pg_advisory_xact_lock_shared(hashtext('tidemark.chain'), stateful.pipeline_id)
         from (select distinct l.pipeline_id
                 from (select r.id from unnest(touched) as r (id) limit (select cardinality(touched))) r
                 join tidemark.partition_ledger l on l.id = r.id
                where l.predecessor_now is not null
                order by 1) stateful;
      touched := touched || array(
        select tidemark.successor(l.pipeline_id, l.slice, l.window_start)
          from (select r.id from unnest(touched) as r (id) limit (select cardinality(touched))) r
          join tidemark.partition_ledger l on l.id = r.id
         where l.predecessor_now is not null);
    end if;

    -- By a statement of its own, in the order of their ids: what follows sees the requests that joined the attempts until then.
    select bool_or(locked.predecessor_now is not null)
      into is_stateful
      from (select l.predecessor_now
              from (select r.id from unnest(touched) as r (id) limit (select cardinality(touched))) r
              join tidemark.partition_ledger l on l.id = r.id
             order by l.id
               for update of l) locked;

    return query
    with mine as (
      select a.*, coalesce(a.input_version, '') as read_version,
             coalesce(a.input_seen_at, a.began_at) as read_seen_at,
             r.committed, r.output, r.content, r.rows, r.bytes, r.files, r.printed,
             l.committed_token is null or r.content is null
               or r.content is distinct from l.content as changed
        from (select *
                from unnest(of_tokens, new_committed, new_outputs, new_contents, new_rows, new_bytes, new_files, new_logs)
                       as r (token, committed, output, content, rows, bytes, files, printed)
               limit (select cardinality(of_tokens))) r
       cross join lateral (
             select * from tidemark.attempt where token = r.token offset 0) a
        join tidemark.partition_ledger l on l.id = a.row_id and l.token = a.token
       where a.ended_at is null or a.outcome = 'lost'),
    settled as (
      update tidemark.partition_ledger l
         set committed_token = coalesce(mine.committed, mine.token),
             committed_at = clock_timestamp(),
             processed_version = mine.read_version, processed_seen_at = mine.read_seen_at,
             input_version = case when mine.input_version is null
                 and (l.input_observed_at is null or l.input_observed_at < mine.began_at)
               then '' else l.input_version end,
             input_seen_at = case when mine.input_version is null
                 and (l.input_observed_at is null or l.input_observed_at < mine.began_at)
               then mine.read_seen_at else l.input_seen_at end,
             closed_through = mine.closed_through, closed_lag = mine.closed_lag,
             predecessor = coalesce(mine.predecessor, l.predecessor_now), skipped_at = null,
             revision = mine.revision, definition = mine.definition,
             output = mine.output, content = mine.content, rows = mine.rows,
             bytes = mine.bytes, files = mine.files,
             output_lost_at = null,
             done_gen = greatest(l.done_gen, mine.gen), running_gen = null,
             failures = 0, failed_claims = 0, failed_version = null, lost = 0,
             parked_at = null, next_attempt_at = null, next_attempt_now = null,
             last_error = null,
             claim_id = null, lease_until = null, claim_attempt = null
        from mine
       where l.id = mine.row_id
      returning l.id, l.done_gen, mine.token, mine.printed, mine.changed),
    completed as (
      update tidemark.backfill_item i
         set state = 'completed'
        from settled
       where i.row_id = settled.id and i.state = 'requested'
         and i.wanted_gen <= settled.done_gen),
    ended as (
      update tidemark.attempt a
         set ended_at = clock_timestamp(), outcome = 'committed', error = null,
             log = settled.printed
        from settled
       where a.token = settled.token)
    select settled.token, settled.changed from settled;

    if is_stateful then
      update tidemark.partition_ledger l
         set predecessor_now = linked.token
        from (
          select n.id, tidemark.predecessor_token(n.pipeline_id, n.slice, n.window_start) as token
            from (select tidemark.successor(s.pipeline_id, s.slice, s.window_start) as id
                    from (select r.token from unnest(of_tokens) as r (token) limit (select cardinality(of_tokens))) r
                   cross join lateral (
                         select row_id, token from tidemark.attempt where token = r.token offset 0) a
                    join tidemark.partition_ledger s on s.id = a.row_id and s.token = a.token
                   where s.predecessor_now is not null) next
            join tidemark.partition_ledger n on n.id = next.id) linked
       where l.id = linked.id and l.predecessor_now <> linked.token;
    end if;
  end $$;
