-- How the file of an import writes numbers and dates, as chosen with its mapping, and what the values of each column
-- show about it. Null if no value depends on it, and for drafts of the previous release. Like the mapping, they are no
-- part of the audit log.
alter table imports add column decimal_mark text;
alter table imports add column date_order text;
alter table imports add column written jsonb not null default '[]';
create or replace trigger audit_insert after insert on imports referencing new table as new_rows
  for each statement execute function audit_change('{}',
    '{stage,columns,mapping,replacements,parts,bytes,rows,rest,delimiter,position,checked,progress,emptied_at,decimal_mark,date_order,written}');
create or replace trigger audit_update after update on imports referencing old table as old_rows new table as new_rows
  for each statement execute function audit_change('{}',
    '{stage,columns,mapping,replacements,parts,bytes,rows,rest,delimiter,position,checked,progress,emptied_at,decimal_mark,date_order,written}');
create or replace trigger audit_delete after delete on imports referencing old table as old_rows
  for each statement execute function audit_change('{}',
    '{stage,columns,mapping,replacements,parts,bytes,rows,rest,delimiter,position,checked,progress,emptied_at,decimal_mark,date_order,written}');
