-- What somebody typed into a form and has not saved. Neither audited nor announced, on purpose: until it
-- is saved it is nobody else's business.
create table drafts (
  user_id uuid not null constraint drafts_user references users (id) on delete cascade,
  form text not null constraint drafts_form check (form ~ '^[a-z0-9-]{1,120}$'),
  record_version integer not null constraint drafts_record_version check (record_version >= 0),
  base jsonb not null constraint drafts_base check (jsonb_typeof(base) = 'object'),
  value jsonb not null constraint drafts_value check (jsonb_typeof(value) = 'object'),
  saved_at timestamptz not null,
  constraint drafts_pkey primary key (user_id, form)
);
grant select, insert, update, delete on drafts to purser_app;
