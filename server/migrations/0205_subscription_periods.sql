-- The paid periods of each subscription, of which the subscription itself has only the newest. Allowances that follow the
-- paid period are divided by them. A period is only changed while it lasts or before it: a pause or an extension makes it
-- longer, so what counts now never starts again.
create table subscription_periods (
  subscription_id uuid not null
    constraint subscription_periods_subscription references subscriptions (id) on delete cascade,
  number integer not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Added free of charge, or added when the period was over, so that the next one had started.
  kind text not null default 'paid' constraint subscription_periods_kind check (kind in ('paid', 'added', 'overdue')),
  constraint subscription_periods_pkey primary key (subscription_id, number),
  constraint subscription_periods_order check (starts_at < ends_at)
);
grant select, insert, update on subscription_periods to purser_app;

-- The first periods of a subscription: free days, the paid period, and before them the time of an import or of a release
-- that didn't store periods.
create function first_periods(s subscriptions, since timestamptz)
returns table (number integer, starts_at timestamptz, ends_at timestamptz)
language sql immutable set search_path = public, pg_temp as $$
  select row_number() over (order by part.starts_at)::integer - 1, part.starts_at, part.ends_at
  from (values
    (since, s.period_start),
    (s.period_start, case when s.anchor > s.period_start and s.anchor < s.period_end then s.anchor else s.period_end end),
    (case when s.anchor > s.period_start then s.anchor end, s.period_end)
  ) part (starts_at, ends_at)
  where part.starts_at < part.ends_at
$$;

grant execute on function first_periods(subscriptions, timestamptz) to purser_app;

create function add_first_periods() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- Only imports say when a subscription was created.
  insert into subscription_periods (subscription_id, number, starts_at, ends_at)
  select n.id, p.number, p.starts_at, p.ends_at
  from new_rows n cross join lateral first_periods(n, case when n.created_at <> now() then n.created_at end) p;
  return null;
end
$$;
create trigger subscriptions_add_periods after insert on subscriptions
  referencing new table as new_rows for each statement execute function add_first_periods();

create function change_periods() returns trigger language plpgsql
set search_path = public, pg_temp set "TimeZone" = 'UTC' as $$
declare
  last subscription_periods;
  moved interval;
begin
  if not exists (select from subscription_periods p where p.subscription_id = new.id) then
    insert into subscription_periods (subscription_id, number, starts_at, ends_at)
    select new.id, p.number, p.starts_at, p.ends_at from first_periods(old, old.created_at) p;
  end if;
  -- A pause moves everything after it.
  if old.paused_at is not null then
    moved := case when new.period_start > old.period_start then new.period_start else new.period_end end - old.period_end;
    update subscription_periods p set ends_at = p.ends_at + moved,
      starts_at = case when p.starts_at > old.paused_at then p.starts_at + moved else p.starts_at end
    where p.subscription_id = new.id and p.ends_at > old.paused_at and moved > interval '0';
  end if;
  select * into last from subscription_periods p where p.subscription_id = new.id order by p.number desc limit 1;
  if new.period_start > old.period_start and new.period_start > last.starts_at then
    if last.kind = 'overdue' then
      -- Its window has started already, and continues.
      update subscription_periods p set ends_at = new.period_end, kind = 'paid'
      where p.subscription_id = new.id and p.number = last.number;
    else
      update subscription_periods p set ends_at = new.period_start
      where p.subscription_id = new.id and p.number = last.number and p.ends_at > new.period_start;
      insert into subscription_periods (subscription_id, number, starts_at, ends_at)
      values (new.id, last.number + 1, new.period_start, new.period_end);
    end if;
  elsif new.period_end > last.ends_at and last.kind <> 'overdue' then
    insert into subscription_periods (subscription_id, number, starts_at, ends_at, kind)
    values (new.id, last.number + 1, last.ends_at, new.period_end,
      case when old.status = 'past due' then 'overdue' else 'added' end);
  elsif new.period_end <> last.ends_at then
    update subscription_periods p set ends_at = new.period_end
    where p.subscription_id = new.id and p.number = last.number and p.starts_at < new.period_end;
  end if;
  return null;
end
$$;
create trigger subscriptions_change_periods after update on subscriptions for each row
  when ((old.period_start, old.period_end) is distinct from (new.period_start, new.period_end))
  execute function change_periods();
