-- Who takes care of a row of "Needs attention", and until when it is snoozed. At most one row per kind.
create table attention_marks (
  id uuid constraint attention_marks_pkey primary key default uuid_v7(),
  kind text not null constraint attention_marks_kind check (kind ~ '^[a-z ]{1,40}$'),
  -- The record, if the row was about only one.
  record_id uuid,
  assignee_id uuid constraint attention_marks_assignee references users (id),
  snoozed_until timestamptz,
  -- What the row said when it was snoozed. It comes back if it says more.
  snoozed_count integer,
  snoozed_amounts jsonb,
  snoozed_by uuid constraint attention_marks_snoozed_by references users (id),
  updated_at timestamptz not null default now(),
  constraint attention_marks_snooze check (
    (snoozed_until is null) = (snoozed_count is null)
    and (snoozed_until is null) = (snoozed_amounts is null)
    and (snoozed_until is null) = (snoozed_by is null))
);
create unique index attention_marks_of_kind on attention_marks (kind);
select audit_table('attention_marks');
grant select, insert, delete on attention_marks to purser_app;
grant update (record_id, assignee_id, snoozed_until, snoozed_count, snoozed_amounts, snoozed_by, updated_at)
  on attention_marks to purser_app;

-- Until when evidence can be sent for a dispute, if the payment provider says so.
alter table transaction_events add column due_at timestamptz;
