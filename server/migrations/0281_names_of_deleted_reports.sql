-- without transaction

-- The name of a deleted report is free.
create unique index concurrently if not exists saved_reports_name_in_use on saved_reports (lower(name))
  where deleted_at is null;
drop index concurrently if exists saved_reports_name_taken;
