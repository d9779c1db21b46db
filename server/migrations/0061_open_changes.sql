-- without transaction

-- Every renewal looks for a change that waits for its payment. Without an index it read all open payments.
create index concurrently if not exists transactions_open_changes on transactions (changes_id)
  where changes_id is not null and state in ('pending', 'failed');
