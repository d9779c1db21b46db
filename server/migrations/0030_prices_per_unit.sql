alter table version_prices
  -- The amount is for one unit; a sale has a quantity.
  add column per_unit boolean not null default false;
