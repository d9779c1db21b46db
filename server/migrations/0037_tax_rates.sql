create table tax_rates (
  id uuid constraint tax_rates_pkey primary key default uuid_v7(),
  country text not null constraint tax_rates_country check (country ~ '^[A-Z]{2}$'),
  -- Null for the whole country. A rate of a region comes before it.
  region text constraint tax_rates_region check (length(region) between 1 and 60),
  name text not null constraint tax_rates_name check (length(name) between 1 and 60),
  category text not null constraint tax_rates_category check (category in ('standard', 'reduced')),
  basis_points integer not null constraint tax_rates_basis_points check (basis_points between 0 and 10000),
  valid_from date not null,
  -- The first day on which it is no longer valid.
  valid_until date,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tax_rates_valid check (valid_from < valid_until),
  constraint tax_rates_apart exclude using gist (country with =, (coalesce(region, '')) with =, category with =,
    daterange(valid_from, valid_until) with &&)
);
create trigger tax_rates_touch before update on tax_rates for each row
  when (old.* is distinct from new.*) execute function touch_row();
select audit_table('tax_rates');
grant select, insert, update, delete on tax_rates to purser_app;
