-- without transaction
alter table webhook_deliveries validate constraint webhook_deliveries_bound;
alter table webhook_events validate constraint webhook_events_bound;
