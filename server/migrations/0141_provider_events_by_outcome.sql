-- without transaction

-- The newest events of each outcome. The index of unmatched ones served no other outcome, nor a generic plan.
create index concurrently if not exists provider_events_by_outcome on provider_events
  (outcome, received_at desc, id desc);
drop index concurrently if exists provider_events_unmatched;
