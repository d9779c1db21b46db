-- without transaction

-- Marks of "Needs attention" are about one record each. Those of a whole kind no longer apply, and are removed by a job.
create unique index concurrently if not exists attention_marks_of_record on attention_marks (kind, record_id);
drop index concurrently if exists attention_marks_of_kind;
