-- The clock of a test database, and the team members that are copied into it. Both are empty in a live database:
-- only `purser migrate` of a test database adds the row of the clock, which distinguishes the two.
create table test_clock (
  id boolean constraint test_clock_pkey primary key default true,
  ahead_ms bigint not null default 0,
  -- Where the clock is being moved to, by whom, and from when.
  target timestamptz,
  started_from timestamptz,
  moved_by uuid,
  -- Runs by the time of the machine: until then no other worker moves the clock.
  claimed_until timestamptz,
  jobs_run integer not null default 0,
  failure text,
  constraint test_clock_only_one check (id),
  constraint test_clock_ahead check (ahead_ms between 0 and 630720000000)
);
create table test_team (
  id uuid constraint test_team_pkey primary key
);
create function keep_test_clock() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'The clock of a test database only moves forward.' using errcode = '23514';
end
$$;
create trigger test_clock_keep before update on test_clock for each row
  when (new.ahead_ms < old.ahead_ms) execute function keep_test_clock();
grant select, update on test_clock to purser_app;
grant select, insert, delete on test_team to purser_app;
