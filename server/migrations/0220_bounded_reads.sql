-- without transaction

-- The exports and bulk actions that a list shows, of a team member who dismissed thousands of them.
create index concurrently if not exists list_jobs_shown on list_jobs (user_id, list, id desc) where dismissed_at is null;
-- Notes about a customer, beside thousands of comments on their transactions.
create index concurrently if not exists user_notes_about_user on user_notes (user_id, id desc) where record_id is null;
-- How many notifications of a provider are waiting or unmatched, and the last one with an error.
create index concurrently if not exists provider_events_unsettled on provider_events (provider, outcome)
  where outcome in ('waiting', 'unmatched');
create index concurrently if not exists provider_events_refused on provider_events (provider, received_at desc, id desc)
  where outcome in ('waiting', 'unmatched') and words is not null;
-- The counters of a customer, for merges, which hold up usage while they read them.
create index concurrently if not exists feature_use_of_user on feature_use (user_id);
