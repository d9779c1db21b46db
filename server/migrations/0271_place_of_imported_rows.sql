-- without transaction

-- The check of a file looks for earlier rows with the same running subscription or a payment for the same time.
create index concurrently if not exists import_results_place
  on import_results (import_id, (fields ->> 'place'), (fields ->> 'period_start')) where fields ->> 'place' is not null;
