-- Imports of promotion codes, subscriptions and transactions.
alter table imports drop constraint imports_kind;
alter table imports add constraint imports_kind
  check (kind in ('customers', 'subscriptions', 'transactions', 'codes')) not valid;

-- The subscriptions, transactions and refunds that imports created. Their lines and postings belong to them. A row is
-- inserted before its record, so that the triggers below know that no webhook follows from it. Not audited: the record
-- is.
create table imported_records (
  record_id uuid constraint imported_records_pkey primary key,
  import_id uuid not null constraint imported_records_import references imports (id),
  -- What recognizes a subscription in other files. The reference does that for a transaction.
  key text
);
create unique index imported_records_key_taken on imported_records (key) where key is not null;
create index imported_records_of_import on imported_records (import_id);
grant select, insert, update on imported_records to purser_app;

create or replace function tell_transactions() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if not webhook_wanted('transaction.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'transaction.changed', n.user_id, webhook_data(row(n.*)::transactions)
    from new_rows n where n.state <> 'draft'
      and not exists (select from imported_records i where i.record_id = n.id) order by n.id;
  else
    insert into webhook_events (type, user_id, data)
    select 'transaction.changed', n.user_id, webhook_data(row(n.*)::transactions)
    from new_rows n join old_rows o using (id)
    where n.state <> 'draft' and (o.state, n.state) <> ('draft', 'voided')
      and webhook_data(row(n.*)::transactions) is distinct from webhook_data(row(o.*)::transactions)
    order by n.id;
  end if;
  return null;
end
$$;

create or replace function tell_subscriptions() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if not webhook_wanted('subscription.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'subscription.changed', n.user_id, webhook_data(row(n.*)::subscriptions) from new_rows n
    where not exists (select from imported_records i where i.record_id = n.id) order by n.id;
  else
    insert into webhook_events (type, user_id, data)
    select 'subscription.changed', n.user_id, webhook_data(row(n.*)::subscriptions)
    from new_rows n join old_rows o using (id)
    where webhook_data(row(n.*)::subscriptions) is distinct from webhook_data(row(o.*)::subscriptions)
    order by n.id;
  end if;
  return null;
end
$$;

create or replace function tell_grants() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if not webhook_wanted('entitlements.changed') then return null; end if;
  if tg_op = 'INSERT' then
    insert into webhook_events (type, user_id, data)
    select 'entitlements.changed', n.user_id, webhook_data(row(n.*)::grants) from new_rows n
    where n.source <> 'import' or not exists (select from imported_records i where i.record_id = n.subscription_id)
    order by n.id;
  else
    -- A grant that is replaced has no event of its own, because the new one has.
    insert into webhook_events (type, user_id, data)
    select 'entitlements.changed', n.user_id, webhook_data(row(n.*)::grants)
    from new_rows n join old_rows o using (id)
    where n.superseded_by is not distinct from o.superseded_by
      and (n.ends_at, n.revoked_at) is distinct from (o.ends_at, o.revoked_at)
    order by n.id;
  end if;
  return null;
end
$$;
