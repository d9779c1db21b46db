-- without transaction

-- The denials of an app for one reason, day by day.
create index concurrently if not exists check_denials_by_reason on check_denials (app_id, reason, day, feature, user_id);
