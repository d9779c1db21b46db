-- without transaction

-- The check of a file looks for the first row with the same key or email address. If many rows have the same address,
-- all of them were read for each row.
create index concurrently if not exists import_results_first_key on import_results (import_id, key, row)
  where key is not null;
create index concurrently if not exists import_results_first_email on import_results (import_id, email, row)
  where email is not null;
drop index concurrently if exists import_results_key;
drop index concurrently if exists import_results_email;
