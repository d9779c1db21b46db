-- Server keys of apps can read and update customers.
alter table app_keys
  drop constraint app_keys_scopes,
  drop constraint app_keys_publishable_reads,
  add constraint app_keys_known_scopes
    check (scopes <@ array['entitlements:read', 'usage:write', 'customers:read', 'customers:write']) not valid,
  add constraint app_keys_publishable_scopes check (kind = 'server' or scopes <@ array['entitlements:read']) not valid;
