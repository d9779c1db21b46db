alter table packages
  -- An add-on needs a base package of one of these groups, or any base package if it names none.
  add column base_groups text[] not null default '{}';

alter table packages
  add column tax_category text not null default 'standard',
  add constraint packages_tax_category check (tax_category in ('standard', 'reduced', 'exempt')) not valid;
