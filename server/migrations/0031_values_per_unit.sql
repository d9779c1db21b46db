alter table version_values
  -- The limit is multiplied by the quantity that was bought.
  add column per_unit boolean not null default false;
