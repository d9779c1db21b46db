-- Invoices and credit notes.

create table documents (
  id uuid constraint documents_pkey primary key default uuid_v7(),
  kind text not null constraint documents_kind check (kind in ('invoice', 'credit note')),
  number text not null constraint documents_number unique,
  -- The sale, or the refund, chargeback or change that takes something back.
  transaction_id uuid not null constraint documents_transaction references transactions (id),
  -- The invoice that a credit note corrects.
  corrects_id uuid constraint documents_corrects references documents (id),
  user_id uuid not null constraint documents_user references users (id),
  currency text not null,
  total bigint not null constraint documents_total check (total > 0),
  issued_at timestamptz not null,
  content jsonb not null constraint documents_content check (jsonb_typeof(content) = 'object'),
  sent_at timestamptz,
  -- The end of the retention period, when the buyer was removed from the content.
  buyer_removed_at timestamptz,
  constraint documents_correction check ((kind = 'credit note') = (corrects_id is not null))
);
-- A transaction has one invoice, and one credit note for each invoice that it corrects.
create unique index documents_one_correction on documents (transaction_id, corrects_id) where kind = 'credit note';
create unique index documents_one_invoice on documents (transaction_id) where kind = 'invoice';
create index documents_of_user on documents (user_id, issued_at desc, id desc);
create index documents_with_buyer on documents (issued_at) where buyer_removed_at is null;
grant select, insert on documents to purser_app;
grant update (sent_at, content, buyer_removed_at) on documents to purser_app;

create function keep_document() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - '{sent_at,content,buyer_removed_at}'::text[]
      = to_jsonb(new) - '{sent_at,content,buyer_removed_at}'::text[]
    and (old.content = new.content and old.buyer_removed_at is not distinct from new.buyer_removed_at
      or old.buyer_removed_at is null and new.buyer_removed_at is not null
        and new.content = old.content || '{"buyer": null}') then
    return new;
  end if;
  raise exception 'Documents can''t be edited. To correct one, refund its transaction.'
    using errcode = 'check_violation', constraint = 'problem_frozen__document_immutable';
end
$$;
create trigger documents_keep before update or delete on documents
  for each row execute function keep_document();

-- The last number of each series and year.
create table document_numbers (
  prefix text not null,
  year integer not null,
  last integer not null constraint document_numbers_last check (last > 0),
  constraint document_numbers_pkey primary key (prefix, year)
);
grant select, insert, update on document_numbers to purser_app;

-- Settled transactions whose documents are not issued yet.
create table documents_to_issue (
  transaction_id uuid constraint documents_to_issue_pkey primary key
    constraint documents_to_issue_transaction references transactions (id) on delete cascade,
  -- Why they can't be issued. Until someone tries again, they aren't.
  problem jsonb
);
grant select, insert, update, delete on documents_to_issue to purser_app;
