-- Where the company's other systems want to be told of changes.
create table webhook_endpoints (
  id uuid constraint webhook_endpoints_pkey primary key default uuid_v7(),
  url text not null constraint webhook_endpoints_url check (length(url) between 1 and 2000),
  description text not null default '' constraint webhook_endpoints_description check (length(description) <= 500),
  types text[] not null constraint webhook_endpoints_types check (cardinality(types) > 0
    and types <@ array['entitlements.changed', 'subscription.changed', 'transaction.changed']),
  -- One that is deleted is gone for everybody; its log is cleared away later, a part at a time.
  status text not null default 'active'
    constraint webhook_endpoints_status check (status in ('active', 'disabled', 'deleted')),
  -- Why it was disabled, where nobody did it.
  disabled_because text,
  secret bytea not null,
  -- Signs too until then, so that a receiver can change over.
  previous_secret bytea,
  previous_until timestamptz,
  -- Since when nothing has arrived; null while something does.
  failing_since timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webhook_endpoints_previous check ((previous_secret is null) = (previous_until is null)),
  constraint webhook_endpoints_because check (disabled_because is null or status = 'disabled')
);
create unique index webhook_endpoints_url_taken on webhook_endpoints (url) where status <> 'deleted';
-- That something fails is no edit: whoever has the form open may still save it.
create trigger webhook_endpoints_touch before update on webhook_endpoints for each row
  when (old.failing_since is not distinct from new.failing_since and old.* is distinct from new.*)
  execute function touch_row();
select audit_table('webhook_endpoints', '{secret,previous_secret}', '{failing_since}');
grant select, insert, update, delete on webhook_endpoints to purser_app;

-- What has to be told: written in the transaction of the change itself, once for each change.
create table webhook_events (
  id uuid constraint webhook_events_pkey primary key default uuid_v7(),
  number bigint generated always as identity,
  type text not null constraint webhook_events_type
    check (type in ('entitlements.changed', 'subscription.changed', 'transaction.changed', 'test')),
  -- Not a foreign key: the row that it tells of has one.
  user_id uuid,
  -- The person's first, second and so on. Counted once it is committed, by one worker at a time: a counter
  -- within the change would make all who change something of a person wait for one another.
  seq bigint,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhook_events_seq unique (user_id, seq),
  constraint webhook_events_of_user check ((user_id is null) = (type = 'test'))
);
create index webhook_events_uncounted on webhook_events (number) where seq is null;
grant select, insert, delete on webhook_events to purser_app;
grant update (seq) on webhook_events to purser_app;

-- Outlives the events, which are forgotten after a while.
create table webhook_counters (
  user_id uuid constraint webhook_counters_pkey primary key,
  seq bigint not null
);
grant select, insert, update on webhook_counters to purser_app;

-- One event on its way to one endpoint.
create table webhook_deliveries (
  id uuid constraint webhook_deliveries_pkey primary key default uuid_v7(),
  endpoint_id uuid not null constraint webhook_deliveries_endpoint references webhook_endpoints (id),
  event_id uuid not null constraint webhook_deliveries_event references webhook_events (id),
  -- In which line it stands: the person, or the event itself where it is about nobody.
  line uuid not null,
  seq bigint not null,
  type text not null,
  user_id uuid,
  state text not null default 'waiting'
    constraint webhook_deliveries_state check (state in ('waiting', 'delivered', 'given up')),
  -- Since it was last asked for; a replay counts anew.
  attempts integer not null default 0,
  -- Every try that is worth remembering, the last one last: when, how long, with what answer.
  tries jsonb not null default '[]',
  last_status integer,
  last_error text,
  -- The beginning of the last answer.
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  attempted_at timestamptz,
  delivered_at timestamptz,
  constraint webhook_deliveries_once unique (event_id, endpoint_id),
  constraint webhook_deliveries_delivered check ((state = 'delivered') = (delivered_at is not null))
);
create index webhook_deliveries_in_line on webhook_deliveries (endpoint_id, line, seq) where state = 'waiting';
create index webhook_deliveries_by_state on webhook_deliveries (state, id desc);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_of_user on webhook_deliveries (user_id, id desc) where user_id is not null;
create index webhook_deliveries_given_up on webhook_deliveries (endpoint_id, id) where state = 'given up';
create index webhook_deliveries_attempted on webhook_deliveries (endpoint_id, attempted_at desc) include (state)
  where attempted_at is not null;
grant select, insert, update, delete on webhook_deliveries to purser_app;

-- Whoever sends the first of a line holds the line: the rest waits, so that a person's events stay in order.
create table webhook_lines (
  -- Not a foreign key, which would be most of the time that counting takes.
  endpoint_id uuid not null,
  line uuid not null,
  -- When its first is due; null while nothing waits. While somebody sends, when they are taken for dead.
  next_at timestamptz,
  claim uuid,
  constraint webhook_lines_pkey primary key (endpoint_id, line)
);
create index webhook_lines_due on webhook_lines (endpoint_id, next_at) where next_at is not null;
grant select, insert, update, delete on webhook_lines to purser_app;

-- Telling ----------------------------------------------------------------------------------------

-- Triggers write the events, so that no way to change something can forget them. Ids, states, amounts and
-- periods only: what else a receiver needs it asks for.

create function webhook_wanted(wanted text) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from webhook_endpoints where status = 'active' and wanted = any (types))
$$;

create function webhook_data(g grants) returns jsonb language sql stable as $$
  select jsonb_build_object('grant', jsonb_build_object(
    'id', g.id, 'packageId', g.package_id, 'versionId', g.version_id, 'featureId', g.feature_id,
    'value', g.value, 'subscriptionId', g.subscription_id, 'source', g.source, 'startsAt', g.starts_at,
    'endsAt', nullif(g.ends_at, 'infinity'), 'revokedAt', g.revoked_at))
$$;

create function webhook_data(s subscriptions) returns jsonb language sql stable as $$
  select jsonb_build_object('subscription', jsonb_build_object(
    'id', s.id, 'packageId', s.package_id, 'versionId', s.version_id, 'priceId', s.price_id,
    'status', s.status, 'periodStart', s.period_start, 'periodEnd', s.period_end,
    'accessUntil', s.access_until, 'endedAt', s.ended_at))
$$;

create function webhook_data(t transactions) returns jsonb language sql stable as $$
  select jsonb_build_object('transaction', jsonb_build_object(
    'id', t.id, 'number', t.number, 'kind', t.kind, 'state', t.state, 'packageId', t.package_id,
    'versionId', t.version_id, 'subscriptionId', t.subscription_id, 'parentId', t.parent_id,
    'currency', t.currency, 'subtotal', t.subtotal, 'discount', t.discount, 'tax', t.tax, 'total', t.total,
    'refunded', t.refunded, 'periodStart', t.period_start, 'periodEnd', t.period_end,
    'occurredAt', t.occurred_at))
$$;

create function tell_grants() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if not webhook_wanted('entitlements.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'entitlements.changed', n.user_id, webhook_data(row(n.*)::grants) from new_rows n order by n.id;
  else
    -- One that another takes the place of is told by that one.
    insert into webhook_events (type, user_id, data)
    select 'entitlements.changed', n.user_id, webhook_data(row(n.*)::grants)
    from new_rows n join old_rows o using (id)
    where n.superseded_by is not distinct from o.superseded_by
      and (n.ends_at, n.revoked_at) is distinct from (o.ends_at, o.revoked_at)
    order by n.id;
  end if;
  return null;
end
$$;
create trigger grants_tell_new after insert on grants referencing new table as new_rows
  for each statement execute function tell_grants();
create trigger grants_tell_changed after update on grants
  referencing old table as old_rows new table as new_rows for each statement execute function tell_grants();

create function tell_subscriptions() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if not webhook_wanted('subscription.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'subscription.changed', n.user_id, webhook_data(row(n.*)::subscriptions) from new_rows n order by n.id;
  else
    insert into webhook_events (type, user_id, data)
    select 'subscription.changed', n.user_id, webhook_data(row(n.*)::subscriptions)
    from new_rows n join old_rows o using (id)
    where webhook_data(row(n.*)::subscriptions) is distinct from webhook_data(row(o.*)::subscriptions)
    order by n.id;
  end if;
  return null;
end
$$;
create trigger subscriptions_tell_new after insert on subscriptions referencing new table as new_rows
  for each statement execute function tell_subscriptions();
create trigger subscriptions_tell_changed after update on subscriptions
  referencing old table as old_rows new table as new_rows for each statement execute function tell_subscriptions();

-- A draft is nobody's business yet, and one that is thrown away never was.
create function tell_transactions() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if not webhook_wanted('transaction.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'transaction.changed', n.user_id, webhook_data(row(n.*)::transactions)
    from new_rows n where n.state <> 'draft' order by n.id;
  else
    insert into webhook_events (type, user_id, data)
    select 'transaction.changed', n.user_id, webhook_data(row(n.*)::transactions)
    from new_rows n join old_rows o using (id)
    where n.state <> 'draft' and (o.state, n.state) <> ('draft', 'voided')
      and webhook_data(row(n.*)::transactions) is distinct from webhook_data(row(o.*)::transactions)
    order by n.id;
  end if;
  return null;
end
$$;
create trigger transactions_tell_new after insert on transactions referencing new table as new_rows
  for each statement execute function tell_transactions();
create trigger transactions_tell_changed after update on transactions
  referencing old table as old_rows new table as new_rows for each statement execute function tell_transactions();
