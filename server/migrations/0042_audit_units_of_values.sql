-- The history also shows whether a value is multiplied by the quantity.
create or replace trigger audit_insert after insert on version_values referencing new table as new_rows
  for each statement execute function audit_parts_change(
    'version_id',
    'feature_id',
    'case when per_unit then jsonb_build_object(''value'', value, ''perUnit'', true) else value end',
    'package_versions');
create or replace trigger audit_update after update on version_values referencing old table as old_rows new table as new_rows
  for each statement execute function audit_parts_change(
    'version_id',
    'feature_id',
    'case when per_unit then jsonb_build_object(''value'', value, ''perUnit'', true) else value end',
    'package_versions');
create or replace trigger audit_delete after delete on version_values referencing old table as old_rows
  for each statement execute function audit_parts_change(
    'version_id',
    'feature_id',
    'case when per_unit then jsonb_build_object(''value'', value, ''perUnit'', true) else value end',
    'package_versions');
