-- The ids of audit entries are numbers, so a partition is a range of 50 million numbers. It is full after that many
-- entries, or a month ends before.
select bound_table('audit_entries', ((select last_value from audit_entries_id_seq) + 50000000)::text);
