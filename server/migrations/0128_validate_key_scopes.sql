alter table app_keys validate constraint app_keys_known_scopes;
alter table app_keys validate constraint app_keys_publishable_scopes;
