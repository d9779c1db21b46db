-- Who last started, continued or undid an import: not always who uploaded the file. The job acts in their name and with
-- their permissions. Null for imports that the previous release has started, which run in the name of who uploaded.
alter table imports add column acted_by uuid;
