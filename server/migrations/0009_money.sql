-- Subscriptions ---------------------------------------------------------------------------------

alter table subscriptions
  -- Periods are counted from here, never from the end of the one before: 31 January goes on to 31 March.
  add column anchor timestamptz,
  -- Which period from the anchor this one is; -1 where the anchor is its end.
  add column period_number integer not null default 0 constraint subscriptions_period_number check (period_number >= -1),
  add column grace_days integer not null default 7 constraint subscriptions_grace check (grace_days between 0 and 90),
  add column paused_at timestamptz,
  add column ended_at timestamptz,
  -- Another package that the end of the period brings.
  add column change_version_id uuid constraint subscriptions_change_version references package_versions (id),
  add column change_price_id uuid constraint subscriptions_change_price references version_prices (id);
update subscriptions set anchor = period_start,
  ended_at = case status when 'ended' then access_until end,
  paused_at = case status when 'paused' then period_start end;
alter table subscriptions
  alter column anchor set not null,
  add constraint subscriptions_change check ((change_version_id is null) = (change_price_id is null)),
  add constraint subscriptions_ended check ((status = 'ended') = (ended_at is not null)),
  add constraint subscriptions_paused check ((status = 'paused') = (paused_at is not null));

-- Moments that follow from the rest, so that nobody has to think of them.
create function date_subscription() returns trigger language plpgsql as $$
begin
  new.anchor := coalesce(new.anchor, new.period_start);
  new.ended_at := case new.status when 'ended' then coalesce(new.ended_at, now()) end;
  new.paused_at := case new.status when 'paused' then coalesce(new.paused_at, now()) end;
  return new;
end
$$;
create trigger subscriptions_date before insert or update on subscriptions
  for each row execute function date_subscription();

create index subscriptions_of_user on subscriptions (user_id, id desc);
-- What a job has to look at next: the end of a period, or of the days of grace.
create index subscriptions_due on subscriptions (period_end) where status in ('trialing', 'active', 'ending');
create index subscriptions_overdue on subscriptions (access_until) where status = 'past due';

-- Transactions ----------------------------------------------------------------------------------

create sequence transaction_numbers;
grant usage on transaction_numbers to purser_app;

create function base32(bits bigint) returns text language sql immutable parallel safe as $$
  select substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (bits & 31)::int, 1)
$$;

-- A short number that is never used twice and does not tell how many there are: counting, spread over
-- 2^40 by a multiplication that has an inverse, in letters and digits that cannot be taken for others.
create function transaction_number(counted bigint) returns text
language sql immutable parallel safe as $$
  select 'TX-' || base32(spread) || base32(spread >> 5) || base32(spread >> 10) || base32(spread >> 15) || '-'
    || base32(spread >> 20) || base32(spread >> 25) || base32(spread >> 30) || base32(spread >> 35)
  from (select (counted * 5308417 + 729184273) & 1099511627775 as spread) s
$$;

create table transactions (
  id uuid constraint transactions_pkey primary key default uuid_v7(),
  number text not null default transaction_number(nextval('transaction_numbers')),
  kind text not null constraint transactions_kind
    check (kind in ('purchase', 'renewal', 'change', 'refund', 'chargeback', 'adjustment')),
  -- Derived from the events; kept here for lists, and moved only along the graph.
  state text not null constraint transactions_state check (state in
    ('draft', 'pending', 'succeeded', 'failed', 'unknown', 'canceled', 'voided', 'disputed', 'charged back')),
  user_id uuid not null constraint transactions_user references users (id),
  package_id uuid,
  version_id uuid,
  price_id uuid constraint transactions_price references version_prices (id),
  subscription_id uuid constraint transactions_subscription references subscriptions (id),
  parent_id uuid constraint transactions_parent references transactions (id),
  currency text not null constraint transactions_currency check (currency ~ '^[A-Z]{3}$'),
  -- Minor units of the currency. Which way the money goes is said by the kind.
  subtotal bigint not null,
  discount bigint not null default 0,
  tax bigint not null default 0,
  total bigint not null,
  -- What refunds and chargebacks have taken back, pending ones too.
  refunded bigint not null default 0,
  provider text not null constraint transactions_provider check (provider ~ '^[a-z][a-z0-9-]{1,39}$'),
  reference text constraint transactions_reference check (length(reference) between 1 and 200),
  -- The time that is paid for.
  period_start timestamptz,
  period_end timestamptz,
  -- What becomes of access, of a refund.
  access text constraint transactions_access check (access in ('keep', 'end now', 'end with period')),
  occurred_at timestamptz not null,
  settled_at timestamptz,
  reason text constraint transactions_reason check (length(reason) <= 500),
  note text not null default '' constraint transactions_note check (length(note) <= 2000),
  tags text[] not null default '{}' constraint transactions_tags check (cardinality(tags) <= 20),
  -- Names, values and prices as they were when it was sold.
  snapshot jsonb not null default '{}',
  created_by uuid constraint transactions_creator references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint transactions_version foreign key (version_id, package_id) references package_versions (id, package_id),
  constraint transactions_package check ((version_id is null) = (package_id is null)),
  constraint transactions_amounts check (
    subtotal between 0 and 999999999999999 and discount between 0 and subtotal
    and tax between 0 and 999999999999999 and total = subtotal - discount + tax),
  constraint transactions_refunded check (refunded between 0 and total),
  constraint transactions_period check ((period_start is null) = (period_end is null) and period_start < period_end),
  constraint transactions_of_sale check ((parent_id is not null) = (kind in ('refund', 'chargeback'))),
  constraint transactions_refund_access check ((access is not null) = (kind = 'refund')),
  -- Whoever records one by hand says where it is to be found.
  constraint transactions_found_again check (provider <> 'manual' or state in ('draft', 'voided')
    or reference is not null or parent_id is not null)
);

-- Ordered by bytes, so that the beginning of a number or a reference is found in them too.
create unique index transactions_number_taken on transactions (number text_pattern_ops);
create unique index transactions_reference_taken on transactions (reference text_pattern_ops, provider)
  where reference is not null and state <> 'voided';
-- One renewal for each period of a subscription, however many workers see it due.
create unique index transactions_one_renewal on transactions (subscription_id, period_start) where kind = 'renewal';
create index transactions_by_time on transactions (occurred_at desc, id desc);
create index transactions_of_user on transactions (user_id, occurred_at desc, id desc);
create index transactions_of_package on transactions (package_id, occurred_at desc, id desc);
create index transactions_of_parent on transactions (parent_id) where parent_id is not null;
create index transactions_of_subscription on transactions (subscription_id) where subscription_id is not null;
-- The few that wait for somebody.
create index transactions_unsettled on transactions (state, occurred_at desc, id desc)
  where state not in ('succeeded', 'voided', 'canceled');
create index transactions_by_kind on transactions (kind, occurred_at desc, id desc)
  where kind not in ('purchase', 'renewal');

create trigger transactions_touch before update on transactions for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('transactions');
grant select, insert, update, delete on transactions to purser_app;

-- What is settled stays as it was: corrections are rows of their own.
create function keep_transaction() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'A transaction is never deleted once it was recorded. Void it, or refund it.'
        using errcode = 'check_violation', constraint = 'problem_frozen';
    end if;
    return old;
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('draft', 'pending'), ('draft', 'succeeded'), ('draft', 'voided'),
    ('pending', 'succeeded'), ('pending', 'failed'), ('pending', 'unknown'), ('pending', 'canceled'),
    ('unknown', 'succeeded'), ('unknown', 'failed'), ('failed', 'succeeded'), ('canceled', 'succeeded'),
    -- Told late of something that happened earlier, another end may be the right one.
    ('unknown', 'canceled'), ('canceled', 'unknown'), ('failed', 'canceled'), ('canceled', 'failed'),
    ('succeeded', 'disputed'), ('disputed', 'succeeded'), ('disputed', 'charged back')
  ) then
    raise exception 'A transaction that is % cannot become %.', old.state, new.state
      using errcode = 'check_violation', constraint = 'problem_wrong_state';
  end if;
  if old.number <> new.number or old.created_at <> new.created_at or (old.state <> 'draft' and (
    (old.kind, old.user_id, old.package_id, old.version_id, old.price_id, old.parent_id, old.currency, old.subtotal,
      old.discount, old.tax, old.total, old.provider, old.occurred_at, old.access, old.reason, old.snapshot)
    is distinct from
    (new.kind, new.user_id, new.package_id, new.version_id, new.price_id, new.parent_id, new.currency, new.subtotal,
      new.discount, new.tax, new.total, new.provider, new.occurred_at, new.access, new.reason, new.snapshot)
    -- Known later, once.
    or old.reference <> new.reference or old.settled_at <> new.settled_at
    -- Whoever pays late pays for another time than was asked for; once paid, it stays.
    or (old.settled_at is not null and (old.subscription_id <> new.subscription_id
      or old.period_start <> new.period_start or old.period_end <> new.period_end))
  )) then
    raise exception 'What was recorded of money never changes. Refund it, or record another.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger transactions_keep before update or delete on transactions
  for each row execute function keep_transaction();

-- What happened to a transaction, as it was told: twice, late and in any order. Only added to.
create table transaction_events (
  id uuid constraint transaction_events_pkey primary key default uuid_v7(),
  transaction_id uuid not null constraint transaction_events_transaction references transactions (id) on delete cascade,
  type text not null constraint transaction_events_type check (type in
    ('created', 'submitted', 'authorised', 'succeeded', 'failed', 'unknown', 'canceled', 'voided', 'disputed',
     'dispute won', 'dispute lost')),
  -- When it happened where it happened.
  at timestamptz not null,
  source text not null constraint transaction_events_source check (source in ('staff', 'provider', 'system')),
  -- The provider's event, or the member of staff.
  source_id text,
  evidence text constraint transaction_events_evidence check (length(evidence) <= 1000),
  recorded_at timestamptz not null default now()
);
create index transaction_events_of on transaction_events (transaction_id, at);
-- The same event of a provider is one, however often it is told.
create unique index transaction_events_told on transaction_events (transaction_id, source_id, type)
  where source = 'provider';
grant select, insert on transaction_events to purser_app;

-- Promotions ------------------------------------------------------------------------------------

create table promotions (
  id uuid constraint promotions_pkey primary key default uuid_v7(),
  name text not null constraint promotions_name check (length(name) between 1 and 120),
  kind text not null constraint promotions_kind check (kind in ('percent', 'fixed', 'trial', 'feature')),
  -- Hundredths of a percent.
  basis_points integer constraint promotions_basis_points check (basis_points between 1 and 10000),
  trial_days integer constraint promotions_trial check (trial_days between 1 and 730),
  feature_id uuid constraint promotions_feature references features (id),
  value jsonb,
  -- How long the feature is given; null is as long as what was bought.
  feature_days integer constraint promotions_feature_days check (feature_days between 1 and 3650),
  -- Taken from each package, or from the whole sum once.
  level text not null constraint promotions_level check (level in ('line', 'order')),
  duration text not null constraint promotions_duration check (duration in ('once', 'periods', 'for ever')),
  periods integer constraint promotions_periods check (periods between 1 and 120),
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses integer constraint promotions_max_uses check (max_uses > 0),
  max_uses_per_user integer constraint promotions_max_uses_per_user check (max_uses_per_user > 0),
  audience text not null
    constraint promotions_audience check (audience in ('anyone', 'new', 'existing', 'listed', 'first purchase')),
  -- Which intervals it counts for; none is all.
  intervals text[] not null default '{}'
    constraint promotions_intervals check (intervals <@ array['once', 'day', 'week', 'month', 'year']),
  stacking text not null constraint promotions_stacking check (stacking in ('exclusive', 'stackable')),
  priority integer not null default 0 constraint promotions_priority check (priority between -1000 and 1000),
  needs_code boolean not null,
  -- Whether a full refund gives the use back.
  returns_use boolean not null,
  published_at timestamptz,
  paused_at timestamptz,
  archived_at timestamptz,
  uses integer not null default 0 constraint promotions_uses check (uses >= 0),
  first_used_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint promotions_of_kind check (
    (kind = 'percent') = (basis_points is not null) and (kind = 'trial') = (trial_days is not null)
    and (kind = 'feature') = (feature_id is not null) and (kind = 'feature') = (value is not null)
    and (kind = 'feature' or feature_days is null)),
  constraint promotions_counted_periods check ((duration = 'periods') = (periods is not null)),
  constraint promotions_window check (starts_at < ends_at),
  constraint promotions_within_uses check (uses <= max_uses),
  constraint promotions_used check (uses = 0 or first_used_at is not null)
);

create index promotions_by_name on promotions (lower(name), id);
create index promotions_by_update on promotions (updated_at, id);
-- What applies by itself, and what may overlap in time.
create index promotions_in_force on promotions (ends_at) where published_at is not null and archived_at is null;
create index promotions_search on promotions using gin (lower(name) gin_trgm_ops);

-- A use is no edit: whoever has the form open may still save it.
create trigger promotions_touch before update on promotions for each row
  when (old.uses = new.uses and old.* is distinct from new.*) execute function touch_row();
select audit_table('promotions', '{}', '{uses,first_used_at,version,updated_at}');
grant select, insert, update, delete on promotions to purser_app;

-- What a promotion says of money, by currency.
create table promotion_amounts (
  promotion_id uuid not null constraint promotion_amounts_promotion references promotions (id) on delete cascade,
  currency text not null constraint promotion_amounts_currency check (currency ~ '^[A-Z]{3}$'),
  -- What a fixed one takes off.
  off bigint constraint promotion_amounts_off check (off between 1 and 999999999999999),
  -- The least that has to be bought.
  minimum bigint constraint promotion_amounts_minimum check (minimum between 1 and 999999999999999),
  -- The most that one use takes off.
  cap bigint constraint promotion_amounts_cap check (cap between 1 and 999999999999999),
  budget bigint constraint promotion_amounts_budget check (budget between 1 and 999999999999999),
  given bigint not null default 0,
  constraint promotion_amounts_pkey primary key (promotion_id, currency),
  constraint promotion_amounts_within_budget check (given >= 0 and (budget is null or given <= budget))
);
select audit_parts('promotion_amounts', 'promotion_id', 'currency',
  'to_jsonb(part) - ''{promotion_id,currency,given}''::text[]', 'promotions');
grant select, insert, update, delete on promotion_amounts to purser_app;

create table promotion_packages (
  promotion_id uuid not null constraint promotion_packages_promotion references promotions (id) on delete cascade,
  package_id uuid not null constraint promotion_packages_package references packages (id),
  constraint promotion_packages_pkey primary key (promotion_id, package_id)
);
create index promotion_packages_by_package on promotion_packages (package_id);
select audit_parts('promotion_packages', 'promotion_id', 'package_id', 'true', 'promotions');
grant select, insert, delete on promotion_packages to purser_app;

create table promotion_people (
  promotion_id uuid not null constraint promotion_people_promotion references promotions (id) on delete cascade,
  user_id uuid not null constraint promotion_people_user references users (id),
  constraint promotion_people_pkey primary key (promotion_id, user_id)
);
create index promotion_people_by_user on promotion_people (user_id);
select audit_parts('promotion_people', 'promotion_id', 'user_id', 'true', 'promotions');
grant select, insert, delete on promotion_people to purser_app;

create table promotion_codes (
  id uuid constraint promotion_codes_pkey primary key default uuid_v7(),
  promotion_id uuid not null constraint promotion_codes_promotion references promotions (id) on delete cascade,
  -- As it is compared: upper case, without blanks and dashes.
  code text not null constraint promotion_codes_code check (code ~ '^[A-Z0-9]{3,40}$'),
  -- As it is shown to people.
  shown text not null,
  max_uses integer constraint promotion_codes_max_uses check (max_uses > 0),
  uses integer not null default 0,
  created_at timestamptz not null default now(),
  constraint promotion_codes_within_uses check (uses >= 0 and (max_uses is null or uses <= max_uses))
);
create unique index promotion_codes_code_taken on promotion_codes (code);
create index promotion_codes_of on promotion_codes (promotion_id, id);

-- Codes that were made for one person each are told of by their number: a log of codes could be used up.
create function audit_codes() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('insert into audit_entries (entity, record_id, action, %1$I)
    select ''promotion_codes'', promotion_id, %2$L, jsonb_strip_nulls(jsonb_build_object(
      ''code'', string_agg(shown, '', '' order by shown) filter (where max_uses is null),
      ''made'', nullif(count(*) filter (where max_uses is not null), 0)))
    from changed group by promotion_id', tg_argv[0], lower(tg_op));
  return null;
end
$$;
create trigger audit_insert after insert on promotion_codes referencing new table as changed
  for each statement execute function audit_codes('after');
create trigger audit_delete after delete on promotion_codes referencing old table as changed
  for each statement execute function audit_codes('before');
-- Its uses are counted by rows of their own; of the rest nothing may change.
create function keep_code() returns trigger language plpgsql as $$
begin
  raise exception 'A code stays as it was made. Make another one.'
    using errcode = 'check_violation', constraint = 'problem_frozen';
end
$$;
create trigger audit_update before update of promotion_id, code, shown, max_uses on promotion_codes
  for each row execute function keep_code();
grant select, insert, update, delete on promotion_codes to purser_app;

-- One use of a promotion by one person in one transaction.
create table redemptions (
  id uuid constraint redemptions_pkey primary key default uuid_v7(),
  promotion_id uuid not null constraint redemptions_promotion references promotions (id),
  code_id uuid constraint redemptions_code references promotion_codes (id),
  user_id uuid not null constraint redemptions_user references users (id),
  transaction_id uuid not null constraint redemptions_transaction references transactions (id),
  subscription_id uuid constraint redemptions_subscription references subscriptions (id),
  -- The person's first, second and so on: what makes the limit per person hold.
  nth integer not null constraint redemptions_nth check (nth > 0),
  currency text not null,
  amount bigint not null constraint redemptions_amount check (amount >= 0),
  created_at timestamptz not null default now(),
  -- When the use was given back.
  returned_at timestamptz
);
create unique index redemptions_nth_taken on redemptions (promotion_id, user_id, nth) where returned_at is null;
create unique index redemptions_once on redemptions (transaction_id, promotion_id) where returned_at is null;
create index redemptions_of on redemptions (promotion_id, created_at desc);
create index redemptions_of_subscription on redemptions (subscription_id) where subscription_id is not null;
grant select, insert, update on redemptions to purser_app;

-- What a promotion gave is known to those who used it: value, targets and audience stay.
create function keep_used_promotion() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (old.kind, old.basis_points, old.trial_days, old.feature_id, old.value, old.feature_days, old.level,
      old.duration, old.periods, old.audience, old.intervals, old.needs_code, old.starts_at, old.first_used_at)
    is distinct from
    (new.kind, new.basis_points, new.trial_days, new.feature_id, new.value, new.feature_days, new.level,
      new.duration, new.periods, new.audience, new.intervals, new.needs_code, new.starts_at, new.first_used_at)
    or new.published_at is distinct from old.published_at
    or new.max_uses < old.max_uses or (old.max_uses is null and new.max_uses is not null)
    or new.max_uses_per_user < old.max_uses_per_user
    or (old.max_uses_per_user is null and new.max_uses_per_user is not null)
  then
    raise exception 'Somebody has used this promotion: its value, targets, audience and start stay, and limits only grow.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger promotions_keep_used before update on promotions for each row
  when (old.first_used_at is not null) execute function keep_used_promotion();

create function keep_used_parts() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- Locked, so that nobody uses it for the first time meanwhile.
  perform from promotions p
  where p.id in (case when tg_op <> 'INSERT' then old.promotion_id end, case when tg_op <> 'DELETE' then new.promotion_id end)
    and p.first_used_at is not null
  for share;
  if found then
    raise exception 'Somebody has used this promotion: its value, targets and audience stay.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger promotion_packages_keep before insert or update or delete on promotion_packages
  for each row execute function keep_used_parts();
create trigger promotion_people_keep before update or delete on promotion_people
  for each row execute function keep_used_parts();
create trigger promotion_amounts_keep before insert or delete on promotion_amounts
  for each row execute function keep_used_parts();
create trigger promotion_amounts_keep_changed before update on promotion_amounts for each row
  when ((old.currency, old.off, old.minimum, old.cap) is distinct from (new.currency, new.off, new.minimum, new.cap)
    or new.budget < old.budget or (old.budget is null and new.budget is not null))
  execute function keep_used_parts();

create function keep_redemption() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if to_jsonb(old) - '{returned_at,subscription_id}'::text[] is distinct from
      to_jsonb(new) - '{returned_at,subscription_id}'::text[]
    or old.subscription_id <> new.subscription_id or old.returned_at is not null then
    raise exception 'A use of a promotion is never edited, only given back.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger redemptions_keep before update on redemptions for each row execute function keep_redemption();

/*
 * Counts a use, or says why not. Each limit is compared and counted in one statement, so that whoever comes at the
 * same moment finds it counted. One call, because others who use the promotion wait until it is committed.
 */
create function redeem_promotion(promotion uuid, by_code uuid, person uuid, sale uuid, subscription uuid, paid_in text,
  taken_off bigint, at timestamptz, was_promised boolean)
returns text language plpgsql set search_path = public, pg_temp as $$
declare
  held promotions;
  nth_of_person integer;
begin
  update promotions set uses = uses + 1, first_used_at = coalesce(first_used_at, at)
  where id = promotion and (max_uses is null or uses < max_uses) returning * into held;
  if not found then return 'used up'; end if;
  if not was_promised and (held.published_at is null or held.paused_at is not null or held.archived_at is not null
    or coalesce(held.ends_at, 'infinity') <= at) then return 'stopped'; end if;
  select coalesce(max(nth), 0) + 1 into nth_of_person from redemptions u
  where u.promotion_id = promotion and u.user_id = person and u.returned_at is null;
  if nth_of_person > held.max_uses_per_user then return 'used by the same person'; end if;
  if by_code is not null then
    update promotion_codes set uses = uses + 1 where id = by_code and (max_uses is null or uses < max_uses);
    if not found then return 'used'; end if;
  end if;
  update promotion_amounts a set given = given + taken_off
  where a.promotion_id = promotion and a.currency = paid_in and (budget is null or given + taken_off <= budget);
  if not found and exists (
    select from promotion_amounts a where a.promotion_id = promotion and a.currency = paid_in
  ) then return 'out of its budget'; end if;
  insert into redemptions (promotion_id, code_id, user_id, transaction_id, subscription_id, nth, currency, amount, created_at)
  values (promotion, by_code, person, sale, subscription, nth_of_person, paid_in, taken_off, at);
  return null;
end
$$;

-- What a transaction or a subscription gave.
create index grants_of_source on grants (source_id) where source in ('transaction', 'promotion');
create index grants_of_subscription on grants (subscription_id) where subscription_id is not null;
