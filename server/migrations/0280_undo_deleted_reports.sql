-- Deleting a saved report keeps it for a while with everyone's emails, so that an undo restores both.
alter table saved_reports add column deleted_at timestamptz;
grant update (deleted_at) on saved_reports to purser_app;
