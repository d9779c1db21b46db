alter table app_keys validate constraint app_keys_origins;
