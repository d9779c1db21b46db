-- without transaction

-- The promotions of a sale, also after they were restored.
create index concurrently if not exists redemptions_of_transaction on redemptions (transaction_id);
-- The transactions behind a figure of a report. Those that aren't settled are the last.
create index concurrently if not exists transactions_by_settlement
  on transactions (coalesce(settled_at, '-infinity') desc, id desc);
-- API keys that expire soon.
create index concurrently if not exists app_keys_expiring on app_keys (expires_at)
  where revoked_at is null and expires_at is not null;
