-- backfill: count-subscribers
-- When the number of a package's or version's subscribers changes, and by how much. Without `version_id` customers
-- count once per package. The number at a moment is the sum up to then, so access that starts or ends later needs no
-- further write. A trigger adds rows, and a job adds those of the past to one settled row.
create table subscriber_changes (
  id bigint generated always as identity constraint subscriber_changes_pkey primary key,
  package_id uuid not null,
  version_id uuid,
  at timestamptz not null,
  change integer not null,
  settled boolean not null default false
);
create index subscriber_changes_of on subscriber_changes (package_id, version_id, at) include (change);
create index subscriber_changes_due on subscriber_changes (at) where not settled;
create unique index subscriber_changes_settled on subscriber_changes (package_id, version_id)
  nulls not distinct where settled;
grant select, insert, update, delete on subscriber_changes to purser_app;

-- Adds the difference that changed grants make. `were` are their ends before, null for new ones. Overlapping grants
-- of a customer count once: a customer is added when the number of their grants rises from 0, and removed when it
-- falls to 0. Grants that ended before the changed ones started make no difference.
create function add_subscriber_changes(ids uuid[], were timestamptz[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with changed as (
    select * from unnest(ids, were) c (id, was)
  ), touched as (
    select g.user_id, g.package_id, min(g.starts_at) as since
    from changed c join grants g on g.id = c.id where g.package_id is not null group by g.user_id, g.package_id
  ), held as (
    select g.user_id, g.package_id, g.version_id, g.starts_at, g.ends_at,
      case when c.id is null then g.ends_at else c.was end as was
    from touched t
    -- With "offset 0" the customer's grants are read by the index on the customer, also without statistics.
    cross join lateral (select * from grants g where g.user_id = t.user_id and g.ends_at >= t.since offset 0) g
    left join changed c on c.id = g.id
    where g.package_id = t.package_id
  ), edges as (
    select h.user_id, h.package_id, k.version_id, s.sign, e.at, sum(e.step) as step
    from held h
    cross join lateral (values (h.version_id), (null::uuid)) k (version_id)
    cross join lateral (values (1, h.ends_at), (-1, h.was)) s (sign, until)
    cross join lateral (values (h.starts_at, 1), (s.until, -1)) e (at, step)
    where h.starts_at < s.until
    group by h.user_id, h.package_id, k.version_id, s.sign, e.at
  ), levels as (
    select package_id, version_id, sign, at, step,
      sum(step) over (partition by user_id, package_id, version_id, sign order by at) as level
    from edges
  )
  insert into subscriber_changes (package_id, version_id, at, change)
  select package_id, version_id, at, sum(case when level = 0 then -sign else sign end)
  from levels where (level = 0) <> (level = step) and at < 'infinity'
  group by package_id, version_id, at having sum(case when level = 0 then -sign else sign end) <> 0;
end
$$;
revoke execute on function add_subscriber_changes(uuid[], timestamptz[]) from public;

create function count_new_grants() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids uuid[];
begin
  select array_agg(id) into ids from new_rows where package_id is not null and starts_at < ends_at;
  if ids is not null then
    perform add_subscriber_changes(ids, array_fill(null::timestamptz, array[cardinality(ids)]));
  end if;
  return null;
end
$$;

create function count_shortened_grants() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids uuid[];
  were timestamptz[];
begin
  select array_agg(o.id), array_agg(o.ends_at) into ids, were from old_rows o join new_rows n using (id)
  where o.package_id is not null and o.ends_at <> n.ends_at;
  if ids is not null then
    perform add_subscriber_changes(ids, were);
  end if;
  return null;
end
$$;

create trigger grants_count_new after insert on grants
  referencing new table as new_rows for each statement execute function count_new_grants();
create trigger grants_count_shortened after update on grants
  referencing old table as old_rows new table as new_rows for each statement execute function count_shortened_grants();
