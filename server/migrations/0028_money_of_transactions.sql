-- backfill: split-transactions

-- Amounts paid from the balance, and the subscription that a change replaces.
alter table transactions
  -- The part of the total that the balance paid, or that a refund returned to it. The rest is cash.
  add column balance_amount bigint not null default 0,
  -- Whether the subtotal and the discount include the tax.
  add column tax_included boolean not null default false,
  -- The provider that received the money, once it is paid.
  add column settled_by text,
  -- The subscription that a change replaces, and its version when the change was planned.
  add column changes_id uuid,
  add column changes_version integer,
  -- Whether it has lines or credits, and its journal entries. Transactions of earlier versions get them from a backfill.
  add column is_split boolean not null default false,
  add constraint transactions_changes foreign key (changes_id) references subscriptions (id) not valid,
  add constraint transactions_changes_version check ((changes_id is null) = (changes_version is null)) not valid,
  add constraint transactions_balance_amount check (balance_amount between 0 and total) not valid,
  drop constraint transactions_amounts,
  add constraint transactions_amounts check (
    subtotal between 0 and 999999999999999 and discount between 0 and subtotal
    and tax between 0 and 999999999999999
    and total = subtotal - discount + case when tax_included then 0 else tax end) not valid;

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

create constraint trigger transactions_add_up after insert or update of subtotal, discount, tax, total on transactions
  deferrable initially deferred for each row execute function check_transaction_sums();

-- Splitting a transaction is a new version with an entry in the audit log only if its amounts change.
create or replace trigger transactions_touch before update on transactions for each row
  when (old.* is distinct from new.* and (old.is_split = new.is_split
    or (old.discount, old.total, old.balance_amount, old.changes_id)
      is distinct from (new.discount, new.total, new.balance_amount, new.changes_id))) execute function touch_row();
create or replace trigger audit_insert after insert on transactions referencing new table as new_rows
  for each statement execute function audit_change('{}', '{is_split,settled_by}');
create or replace trigger audit_update after update on transactions
  referencing old table as old_rows new table as new_rows
  for each statement execute function audit_change('{}', '{is_split,settled_by}');
create or replace trigger audit_delete after delete on transactions referencing old table as old_rows
  for each statement execute function audit_change('{}', '{is_split,settled_by}');

-- Marks transactions of earlier versions as split. The discount of a change contained the credit for unused time: it
-- becomes a payment from the balance. What the customer pays in cash never changes.
create function mark_split(marks jsonb) returns void language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if exists (
    select from jsonb_to_recordset(marks) as m (id uuid, credit bigint)
    join transactions t on t.id = m.id
    where t.is_split or m.credit < 0 or m.credit > t.discount or m.credit > 0 and t.kind <> 'change'
  ) then
    raise exception 'A transaction can be split once, and its credit is at most its discount.'
      using errcode = 'check_violation', constraint = 'transactions_split';
  end if;
  update transactions t set is_split = true, discount = t.discount - m.credit, total = t.total + m.credit,
    balance_amount = m.credit, settled_by = case when t.settled_at is not null then m.settled_by end,
    changes_id = m.changes_id, changes_version = s.version
  from jsonb_to_recordset(marks) as m (id uuid, credit bigint, settled_by text, changes_id uuid)
  left join subscriptions s on s.id = m.changes_id
  where t.id = m.id;
end
$$;
revoke execute on function mark_split(jsonb) from public;
grant execute on function mark_split(jsonb) to purser_app;
