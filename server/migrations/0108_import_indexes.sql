-- without transaction

alter table imports validate constraint imports_kind;
-- Deleting a code looks for redemptions with it.
create index concurrently if not exists redemptions_of_code on redemptions (code_id) where code_id is not null;
