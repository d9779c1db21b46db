-- The history also shows whether a price is per unit.
create or replace trigger audit_insert after insert on version_prices referencing new table as new_rows
  for each statement execute function audit_parts_change(
    'version_id',
    'currency || '' every '' || interval_count || '' '' || interval',
    'case when per_unit then jsonb_build_object(''amount'', amount, ''perUnit'', true) else to_jsonb(amount) end',
    'package_versions');
create or replace trigger audit_update after update on version_prices referencing old table as old_rows new table as new_rows
  for each statement execute function audit_parts_change(
    'version_id',
    'currency || '' every '' || interval_count || '' '' || interval',
    'case when per_unit then jsonb_build_object(''amount'', amount, ''perUnit'', true) else to_jsonb(amount) end',
    'package_versions');
create or replace trigger audit_delete after delete on version_prices referencing old table as old_rows
  for each statement execute function audit_parts_change(
    'version_id',
    'currency || '' every '' || interval_count || '' '' || interval',
    'case when per_unit then jsonb_build_object(''amount'', amount, ''perUnit'', true) else to_jsonb(amount) end',
    'package_versions');
