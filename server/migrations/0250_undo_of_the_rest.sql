-- without transaction

-- An undo that was stopped or failed leaves the rest of its rows to another one. Only one undo runs or has finished.
create unique index concurrently if not exists list_jobs_undone_at_once on list_jobs (undoes)
  where undoes is not null and status in ('running', 'finished');
drop index concurrently if exists list_jobs_undone_once;
