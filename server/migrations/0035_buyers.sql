-- What documents print about the buyer, and what the tax depends on.
alter table users
  add column company text,
  add column address jsonb,
  add column region text,
  add column vat_number text,
  add constraint users_company check (length(company) between 1 and 120) not valid,
  add constraint users_address check (jsonb_typeof(address) = 'object') not valid,
  add constraint users_region check (length(region) between 1 and 60) not valid,
  add constraint users_vat_number check (length(vat_number) between 1 and 30) not valid;
