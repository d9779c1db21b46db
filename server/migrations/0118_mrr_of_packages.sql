-- How the recurring revenue of each package changed. The amounts of a customer, day and kind add up to their movement.
create table mrr_package_movements (
  user_id uuid not null,
  currency text not null,
  day date not null,
  kind text not null constraint mrr_package_movements_kind check (kind in ('new', 'expansion', 'contraction', 'churn',
    'reactivation')),
  package_id uuid not null,
  amount bigint not null,
  -- 1 if the customer became a subscriber of the package, -1 if they no longer are one.
  subscribers smallint not null,
  constraint mrr_package_movements_pkey primary key (user_id, currency, day, kind, package_id)
);
create index mrr_package_movements_by_kind on mrr_package_movements (package_id, currency, kind, day, user_id);

create table mrr_package_days (
  currency text not null,
  package_id uuid not null,
  day date not null,
  kind text not null,
  customers integer not null,
  subscribers integer not null,
  amount bigint not null,
  constraint mrr_package_days_pkey primary key (currency, package_id, day, kind)
);
grant select, insert, update, delete on mrr_package_movements, mrr_package_days to purser_app;

-- How far existing customers are counted by package. Null if all are.
alter table report_state add column next_package_customer uuid default '00000000-0000-0000-0000-000000000000';
