-- Figures of reports, added up by day. A job adds what is new, so no sale waits for another one. See docs/reports.md.

-- What is not added up yet ----------------------------------------------------------------------

create table revenue_queue (
  id bigint generated always as identity constraint revenue_queue_pkey primary key,
  entry_id uuid not null,
  at timestamptz not null,
  queued_at timestamptz not null default now()
);
create index revenue_queue_by_time on revenue_queue (at);
create index revenue_queue_oldest on revenue_queue (queued_at);

-- Customers whose recurring revenue may have changed.
create table mrr_queue (
  id bigint generated always as identity constraint mrr_queue_pkey primary key,
  user_id uuid not null,
  queued_at timestamptz not null default now()
);
create index mrr_queue_oldest on mrr_queue (queued_at);
grant select, insert, delete on revenue_queue, mrr_queue to purser_app;

create function queue_entries() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  insert into revenue_queue (entry_id, at) select id, at from new_rows where kind in ('sale', 'credit', 'refund', 'chargeback');
  insert into mrr_queue (user_id) select distinct user_id from new_rows where kind = 'sale' and user_id is not null;
  return null;
end
$$;
create trigger journal_entries_queue after insert on journal_entries
  referencing new table as new_rows for each statement execute function queue_entries();

-- Revenue ---------------------------------------------------------------------------------------

-- By day and one dimension each. The key is the package version, country, promotion or tax account, '' for none.
create table revenue_days (
  dimension text not null constraint revenue_days_dimension
    check (dimension in ('total', 'package', 'country', 'promotion', 'tax')),
  currency text not null,
  day date not null,
  key text not null,
  payments integer not null,
  refund_count integer not null,
  dispute_count integer not null,
  -- Sales without the credits of changes, with tax.
  charged bigint not null,
  -- Without the tax that was returned.
  tax bigint not null,
  refunds bigint not null,
  disputes bigint not null,
  net bigint not null,
  discount bigint not null,
  constraint revenue_days_pkey primary key (dimension, currency, day, key),
  constraint revenue_days_add_up check (charged - tax - refunds - disputes = net)
);

-- Recurring revenue -----------------------------------------------------------------------------

-- How the recurring revenue of a customer changed on a day, and their trials. Rows can be in the future, if the
-- next period is already paid.
create table mrr_movements (
  user_id uuid not null,
  currency text not null,
  day date not null,
  kind text not null constraint mrr_movements_kind check (kind in ('new', 'expansion', 'contraction', 'churn',
    'reactivation', 'trial', 'trial paid', 'trial lost')),
  amount bigint not null,
  -- The month of the customer's first payment, null for trials.
  cohort date,
  constraint mrr_movements_pkey primary key (user_id, currency, day, kind)
);
create index mrr_movements_by_kind on mrr_movements (currency, kind, day, user_id);

create table mrr_days (
  currency text not null,
  day date not null,
  kind text not null,
  customers integer not null,
  amount bigint not null,
  constraint mrr_days_pkey primary key (currency, day, kind)
);

-- How the number of subscribers of a cohort changed in a month.
create table retention_months (
  currency text not null,
  cohort date not null,
  month date not null,
  change integer not null,
  constraint retention_months_pkey primary key (currency, cohort, month)
);

-- The time zone of the days, and how far they are rebuilt. Without a time zone nothing is added up yet.
create table report_state (
  id boolean constraint report_state_pkey primary key default true constraint report_state_only_one check (id),
  zone text,
  next_day date,
  next_customer uuid
);
insert into report_state default values;
grant select, insert, update, delete on revenue_days, mrr_movements, mrr_days, retention_months to purser_app;
grant select, update on report_state to purser_app;
