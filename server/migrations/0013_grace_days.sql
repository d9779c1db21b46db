-- Days of grace are a rule for all subscriptions; no row ever had its own.
alter table subscriptions drop column grace_days;
