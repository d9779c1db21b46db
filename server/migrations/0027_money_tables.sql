-- What was charged, what was taken back of it, what customers have as a balance, and the journal.

-- Lines -----------------------------------------------------------------------------------------

create table transaction_lines (
  id uuid constraint transaction_lines_pkey primary key default uuid_v7(),
  transaction_id uuid not null constraint transaction_lines_transaction references transactions (id) on delete cascade,
  position smallint not null constraint transaction_lines_position check (position >= 0),
  -- Null for what has no package, such as an amount that a provider billed.
  package_id uuid constraint transaction_lines_package references packages (id),
  version_id uuid constraint transaction_lines_version references package_versions (id),
  price_id uuid constraint transaction_lines_price references version_prices (id),
  -- The subscription whose time it pays for, from the moment it is paid.
  subscription_id uuid constraint transaction_lines_subscription references subscriptions (id),
  name text not null constraint transaction_lines_name check (length(name) between 1 and 200),
  quantity integer not null default 1 constraint transaction_lines_quantity check (quantity between 1 and 1000000),
  unit_amount bigint not null constraint transaction_lines_unit_amount check (unit_amount >= 0),
  -- The time that is paid for, without free days before it. Null without an end.
  period_start timestamptz,
  period_end timestamptz,
  subtotal bigint not null,
  discount bigint not null default 0,
  net bigint not null,
  tax bigint not null default 0,
  gross bigint not null,
  -- What the tax was calculated from.
  tax_treatment text not null default 'none' constraint transaction_lines_tax_treatment
    check (tax_treatment in ('none', 'rate', 'reverse charge', 'exempt', 'manual', 'provider', 'unknown')),
  tax_basis_points integer constraint transaction_lines_tax_basis_points check (tax_basis_points between 0 and 10000),
  tax_name text constraint transaction_lines_tax_name check (length(tax_name) <= 60),
  tax_country text constraint transaction_lines_tax_country check (tax_country ~ '^[A-Z]{2}$'),
  tax_region text constraint transaction_lines_tax_region check (length(tax_region) <= 60),
  tax_category text constraint transaction_lines_tax_category check (tax_category in ('standard', 'reduced', 'exempt')),
  vat_number text constraint transaction_lines_vat_number check (length(vat_number) <= 30),
  tax_reason text constraint transaction_lines_tax_reason check (length(tax_reason) <= 500),
  -- What credits have taken back, including those that a pending change holds.
  credited bigint not null default 0,
  credited_tax bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint transaction_lines_amounts check (subtotal between 0 and 999999999999999
    and discount between 0 and subtotal and net >= 0 and tax >= 0 and gross = net + tax
    and subtotal - discount in (net, gross)),
  constraint transaction_lines_credited check (credited between 0 and gross and credited_tax between 0 and tax
    and credited - credited_tax between 0 and net),
  constraint transaction_lines_period check ((period_start is null) = (period_end is null) and period_start < period_end)
);
create unique index transaction_lines_of on transaction_lines (transaction_id, position);
create index transaction_lines_of_subscription on transaction_lines (subscription_id, period_end)
  where subscription_id is not null;
grant select, insert on transaction_lines to purser_app;
grant update (subscription_id, period_start, period_end, credited, credited_tax) on transaction_lines to purser_app;

create function keep_line() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (old.subscription_id is not null and old.subscription_id is distinct from new.subscription_id)
    or (old.subscription_id is not null and (old.period_start, old.period_end)
      is distinct from (new.period_start, new.period_end)) then
    raise exception 'Transactions can''t be edited. To correct a mistake, refund it or record a new one.'
      using errcode = 'check_violation', constraint = 'problem_frozen__transaction_immutable';
  end if;
  return new;
end
$$;
create trigger transaction_lines_keep before update on transaction_lines
  for each row execute function keep_line();

-- Credits ---------------------------------------------------------------------------------------

create table line_credits (
  id uuid constraint line_credits_pkey primary key default uuid_v7(),
  line_id uuid not null constraint line_credits_line references transaction_lines (id) on delete cascade,
  -- The change, refund or chargeback that took it back.
  transaction_id uuid constraint line_credits_transaction references transactions (id) on delete cascade,
  reason text not null constraint line_credits_reason check (reason in
    ('change', 'refund', 'chargeback', 'write-off', 'undelivered')),
  -- The unused time, without pauses, so that it lies within the line's period. Null for an amount.
  unused tstzrange constraint line_credits_unused check (not isempty(unused)),
  net bigint not null,
  tax bigint not null,
  gross bigint not null,
  -- Held until a pending change is paid, and released if it is not.
  state text not null constraint line_credits_state check (state in ('held', 'applied', 'released')),
  created_at timestamptz not null default now(),
  constraint line_credits_amounts check (net >= 0 and tax >= 0 and gross = net + tax),
  constraint line_credits_something check (gross > 0 or unused is not null),
  -- The same second of a line is never credited twice.
  constraint line_credits_time_once exclude using gist (line_id with =, unused with &&)
    where (unused is not null and state <> 'released')
);
create index line_credits_of_line on line_credits (line_id);
create index line_credits_of_transaction on line_credits (transaction_id);
grant select, insert on line_credits to purser_app;
grant update (state) on line_credits to purser_app;

create function count_credit() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' and new.state <> 'released' then
    update transaction_lines set credited = credited + new.gross, credited_tax = credited_tax + new.tax
    where id = new.line_id;
  elsif tg_op = 'UPDATE' and old.state <> new.state then
    if (old.state, new.state) not in (('held', 'applied'), ('held', 'released')) then
      raise exception 'A credit that is % can''t become %.', old.state, new.state
        using errcode = 'check_violation', constraint = 'line_credits_transition';
    end if;
    if new.state = 'released' then
      update transaction_lines set credited = credited - new.gross, credited_tax = credited_tax - new.tax
      where id = new.line_id;
    end if;
  end if;
  return null;
end
$$;
create trigger line_credits_count after insert or update on line_credits
  for each row execute function count_credit();

-- The amounts of a transaction are the sums of its lines, or of its credits for a refund. Checked at the end of the
-- database transaction. Transactions of an earlier version have no lines until they are split.
create function check_transaction_sums() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  t transactions;
  sums record;
begin
  if tg_table_name = 'transactions' then
    select * into t from transactions where id = new.id;
  else
    select * into t from transactions where id = new.transaction_id;
  end if;
  if t.id is null then return null; end if;
  if t.kind in ('refund', 'chargeback') then
    select count(*) as count, sum(gross) as gross, sum(tax) as tax into sums
    from line_credits where transaction_id = t.id and state = 'applied';
    -- An earlier version refunded more than was left of a sale. The excess is written off.
    if sums.count > 0 and (sums.gross > t.total
      or t.kind = 'refund' and (sums.tax > t.tax or (sums.gross, sums.tax) is distinct from (t.total, t.tax)
        and not exists (select from journal_entries where kind = 'write-off' and source_id = t.id))) then
      raise exception 'The credits of refund % don''t add up.', t.number
        using errcode = 'check_violation', constraint = 'transactions_add_up';
    end if;
    return null;
  end if;
  select count(*) as count, sum(subtotal) as subtotal, sum(discount) as discount, sum(tax) as tax, sum(gross) as gross
  into sums from transaction_lines where transaction_id = t.id;
  if (sums.count > 0 or t.is_split) and (sums.subtotal, sums.discount, sums.tax, sums.gross)
    is distinct from (t.subtotal, t.discount, t.tax, t.total) then
    raise exception 'The lines of transaction % don''t add up.', t.number
      using errcode = 'check_violation', constraint = 'transactions_add_up';
  end if;
  return null;
end
$$;
create constraint trigger transaction_lines_add_up after insert on transaction_lines
  deferrable initially deferred for each row execute function check_transaction_sums();
create constraint trigger line_credits_add_up after insert on line_credits
  deferrable initially deferred for each row when (new.transaction_id is not null)
  execute function check_transaction_sums();

-- The record that a merged customer became part of.
create function current_customer(customer uuid) returns uuid language sql stable
set search_path = public, pg_temp as $$
  with recursive chain as (
    select id, merged_into from users where id = customer
    union all
    select u.id, u.merged_into from chain c join users u on u.id = c.merged_into
  ) select id from chain where merged_into is null
$$;

-- Balances --------------------------------------------------------------------------------------

create table balances (
  user_id uuid not null constraint balances_user references users (id),
  currency text not null constraint balances_currency check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null constraint balances_not_negative check (amount between 0 and 999999999999999),
  constraint balances_pkey primary key (user_id, currency)
);
grant select on balances to purser_app;

-- Only added to; the sum of a customer's entries is the balance.
create table balance_entries (
  id uuid constraint balance_entries_pkey primary key default uuid_v7(),
  user_id uuid not null constraint balance_entries_user references users (id),
  currency text not null,
  amount bigint not null constraint balance_entries_amount check (amount <> 0),
  kind text not null constraint balance_entries_kind check (kind in
    ('credit', 'payment', 'payment returned', 'refund', 'overpaid', 'chargeback', 'added', 'removed', 'transfer')),
  transaction_id uuid constraint balance_entries_transaction references transactions (id),
  reason text constraint balance_entries_reason check (length(reason) <= 500),
  created_by uuid constraint balance_entries_creator references users (id),
  created_at timestamptz not null default now(),
  constraint balance_entries_explained check (kind not in ('added', 'removed') or reason is not null)
);
create index balance_entries_of_user on balance_entries (user_id, id desc);
create index balance_entries_of_transaction on balance_entries (transaction_id) where transaction_id is not null;
grant select, insert on balance_entries to purser_app;

create function add_to_balance() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into balances (user_id, currency, amount) values (new.user_id, new.currency, 0) on conflict do nothing;
  update balances set amount = amount + new.amount where user_id = new.user_id and currency = new.currency;
  return null;
exception when check_violation then
  raise exception 'The balance is too low. Reload the page and try again.'
    using errcode = 'check_violation', constraint = 'problem_wrong_state__balance_too_low';
end
$$;
-- Other charges of the customer wait until this one is recorded.
create function lock_balance(customer uuid, of_currency text) returns bigint language sql security definer
set search_path = public, pg_temp as $$
  select amount from balances where user_id = customer and currency = of_currency for update
$$;

create trigger balance_entries_add after insert on balance_entries
  for each row execute function add_to_balance();
create trigger audit_insert after insert on balance_entries referencing new table as new_rows
  for each statement execute function audit_change();

-- Journal ---------------------------------------------------------------------------------------

create table journal_entries (
  id uuid constraint journal_entries_pkey primary key default uuid_v7(),
  -- What happened: "sale" for transaction x is posted once, however often it is reported.
  kind text not null constraint journal_entries_kind check (kind in
    ('sale', 'credit', 'refund', 'chargeback', 'payment', 'balance', 'fee', 'write-off', 'opening')),
  source_id uuid not null,
  at timestamptz not null,
  currency text not null constraint journal_entries_currency check (currency ~ '^[A-Z]{3}$'),
  user_id uuid constraint journal_entries_user references users (id),
  transaction_id uuid constraint journal_entries_transaction references transactions (id),
  created_at timestamptz not null default now(),
  constraint journal_entries_once unique (kind, source_id)
);
create index journal_entries_by_time on journal_entries (at, id);
create index journal_entries_of_transaction on journal_entries (transaction_id) where transaction_id is not null;

create table postings (
  entry_id uuid not null constraint postings_entry references journal_entries (id),
  position smallint not null,
  account text not null constraint postings_account check (account ~
    '^(cash:[a-z][a-z0-9-]{1,39}|receivable|revenue|tax:[a-zA-Z0-9:-]{1,60}|balance|team credits|fees|write-offs)$'),
  -- Positive is a debit, negative a credit.
  amount bigint not null constraint postings_amount check (amount <> 0),
  constraint postings_pkey primary key (entry_id, position)
);
grant select, insert on journal_entries, postings to purser_app;

create function check_entry_balance() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (select sum(amount) from postings where entry_id = new.entry_id) <> 0 then
    raise exception 'The postings of journal entry % don''t add up to 0.', new.entry_id
      using errcode = 'check_violation', constraint = 'postings_balanced';
  end if;
  return null;
end
$$;
create constraint trigger postings_balanced after insert on postings
  deferrable initially deferred for each row execute function check_entry_balance();

-- References ------------------------------------------------------------------------------------

-- Every name that a provider has for a transaction: any of them finds it.
create table transaction_references (
  provider text not null constraint transaction_references_provider check (provider ~ '^[a-z][a-z0-9-]{1,39}$'),
  reference text not null constraint transaction_references_reference check (length(reference) between 1 and 200),
  transaction_id uuid not null constraint transaction_references_transaction
    references transactions (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint transaction_references_pkey primary key (provider, reference)
);
create index transaction_references_of on transaction_references (transaction_id);
grant select, insert on transaction_references to purser_app;

-- Pauses ----------------------------------------------------------------------------------------

create table subscription_pauses (
  id uuid constraint subscription_pauses_pkey primary key default uuid_v7(),
  subscription_id uuid not null constraint subscription_pauses_subscription references subscriptions (id),
  paused_at timestamptz not null,
  -- Null while it is paused.
  resumed_at timestamptz,
  constraint subscription_pauses_order check (paused_at <= resumed_at),
  constraint subscription_pauses_apart exclude using gist (
    subscription_id with =, tstzrange(paused_at, resumed_at) with &&)
);
create unique index subscription_pauses_open on subscription_pauses (subscription_id) where resumed_at is null;
grant select, insert on subscription_pauses to purser_app;
grant update (resumed_at) on subscription_pauses to purser_app;
