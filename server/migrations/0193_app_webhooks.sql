-- When a receiver first confirmed an event about each app, which its page shows.
create table app_webhooks (
  app_id uuid constraint app_webhooks_pkey primary key,
  confirmed_at timestamptz not null
);
grant select, insert on app_webhooks to purser_app;
