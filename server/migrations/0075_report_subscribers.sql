-- Customers whose recurring revenue may have changed without a sale.
create function queue_subscriber() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  insert into mrr_queue (user_id) values (new.user_id);
  if tg_op = 'UPDATE' and old.user_id <> new.user_id then
    insert into mrr_queue (user_id) values (old.user_id);
  end if;
  return null;
end
$$;
create trigger subscriptions_queue_trial after insert on subscriptions
  for each row when (new.status = 'trialing') execute function queue_subscriber();
create trigger subscriptions_queue_changed after update on subscriptions
  for each row when ((old.user_id, old.status, old.period_start, old.ended_at, old.paused_at)
    is distinct from (new.user_id, new.status, new.period_start, new.ended_at, new.paused_at))
  execute function queue_subscriber();
