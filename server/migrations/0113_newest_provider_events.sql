-- without transaction

-- The last event of each payment provider, for the System page.
create index concurrently if not exists provider_events_newest on provider_events (provider, received_at desc, id desc);
