-- without transaction

create index concurrently if not exists user_notes_of_record on user_notes (record_id, id desc) where record_id is not null;
alter table user_notes validate constraint user_notes_entity;
alter table user_notes validate constraint user_notes_record;
alter table user_notes validate constraint user_notes_customer;
