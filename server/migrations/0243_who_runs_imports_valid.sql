alter table imports validate constraint imports_acted_by;
