-- Reports that the team keeps by name. Not audited: they are an address, like saved views.
create table saved_reports (
  id uuid constraint saved_reports_pkey primary key default uuid_v7(),
  name text not null constraint saved_reports_name_length check (length(name) between 1 and 80),
  search jsonb not null,
  created_by uuid not null constraint saved_reports_created_by references users (id),
  created_at timestamptz not null default now()
);
create unique index saved_reports_name_taken on saved_reports (lower(name));
grant select, insert, delete on saved_reports to purser_app;

-- Who gets a saved report by email. Everyone chooses it for themselves.
create table report_emails (
  report_id uuid not null constraint report_emails_report references saved_reports (id) on delete cascade,
  user_id uuid not null constraint report_emails_user references users (id),
  schedule text not null constraint report_emails_schedule check (schedule in ('weekly', 'monthly')),
  -- The last day on which it was sent, in the reader's time zone.
  sent_on date,
  constraint report_emails_pkey primary key (report_id, user_id)
);
create index report_emails_of_user on report_emails (user_id);
grant select, insert, update, delete on report_emails to purser_app;
