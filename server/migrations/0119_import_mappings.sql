-- Column mappings of imports, saved by name for the team. Not audited: they are a choice of a form, like saved views.
create table import_mappings (
  id uuid constraint import_mappings_pkey primary key default uuid_v7(),
  kind text not null,
  name text not null constraint import_mappings_name_length check (length(name) between 1 and 80),
  -- The field of each column, by the column's name.
  fields jsonb not null,
  created_by uuid not null constraint import_mappings_created_by references users (id),
  created_at timestamptz not null default now()
);
create unique index import_mappings_name_taken on import_mappings (kind, lower(name));
grant select, insert, delete on import_mappings to purser_app;

-- Undoing an import of transactions refunds them, and gives their references back.
create or replace function keep_transaction() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'This transaction can''t be deleted. Void or refund it instead.'
        using errcode = 'check_violation', constraint = 'problem_frozen__transaction_not_deletable';
    end if;
    return old;
  end if;
  if new.reason = 'erased' then old.reason := 'erased'; end if;
  if new.reference = 'erased ' || old.id then old.reference := new.reference; end if;
  -- An import that is undone gives its references back. The sale itself is refunded.
  if new.reference = 'undone ' || old.id and exists (select from imported_records i where i.record_id = old.id) then
    old.reference := new.reference;
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('draft', 'pending'), ('draft', 'succeeded'), ('draft', 'voided'),
    ('pending', 'succeeded'), ('pending', 'failed'), ('pending', 'unknown'), ('pending', 'canceled'),
    ('unknown', 'succeeded'), ('unknown', 'failed'), ('failed', 'succeeded'), ('canceled', 'succeeded'),
    ('unknown', 'canceled'), ('canceled', 'unknown'), ('failed', 'canceled'), ('canceled', 'failed'),
    ('succeeded', 'disputed'), ('disputed', 'succeeded'), ('disputed', 'charged back')
  ) then
    raise exception 'This transaction can''t change to this status.'
      using errcode = 'check_violation', constraint = 'problem_wrong_state__transaction_status_fixed';
  end if;
  -- Only mark_split() changes it, which runs as the owner of the table and checks the amounts.
  if old.is_split <> new.is_split then
    if old.is_split or current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
      raise exception 'Only mark_split() splits a transaction.'
        using errcode = 'check_violation', constraint = 'transactions_split';
    end if;
    return new;
  end if;
  if old.number <> new.number or old.created_at <> new.created_at or (old.state <> 'draft' and (
    (old.kind, old.user_id, old.package_id, old.version_id, old.price_id, old.parent_id, old.currency, old.subtotal,
      old.discount, old.tax, old.total, old.balance_amount, old.tax_included, old.changes_id, old.changes_version,
      old.provider, old.occurred_at, old.access, old.reason, old.snapshot)
    is distinct from
    (new.kind, new.user_id, new.package_id, new.version_id, new.price_id, new.parent_id, new.currency, new.subtotal,
      new.discount, new.tax, new.total, new.balance_amount, new.tax_included, new.changes_id, new.changes_version,
      new.provider, new.occurred_at, new.access, new.reason, new.snapshot)
    or old.reference <> new.reference or old.settled_at <> new.settled_at or old.settled_by <> new.settled_by
    or (old.settled_at is not null and (old.subscription_id <> new.subscription_id
      or old.period_start <> new.period_start or old.period_end <> new.period_end))
  )) then
    raise exception 'Transactions can''t be edited. To correct a mistake, refund it or record a new one.'
      using errcode = 'check_violation', constraint = 'problem_frozen__transaction_immutable';
  end if;
  return new;
end
$$;

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
    -- What an import added without an event is undone without one.
    insert into webhook_events (type, user_id, data)
    select 'transaction.changed', n.user_id, webhook_data(row(n.*)::transactions)
    from new_rows n join old_rows o using (id)
    where n.state <> 'draft' and (o.state, n.state) <> ('draft', 'voided')
      and n.reference is distinct from 'undone ' || n.id
      and webhook_data(row(n.*)::transactions) is distinct from webhook_data(row(o.*)::transactions)
    order by n.id;
  end if;
  return null;
end
$$;

-- Recurring revenue no longer counts a payment that is undone.
create trigger transactions_queue_undone after update of reference on transactions
  for each row when (new.reference = 'undone ' || new.id and old.reference is distinct from new.reference)
  execute function queue_subscriber();
