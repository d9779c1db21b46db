-- When a team member got the role. New approvers can't approve for the waiting time, so that nobody
-- invites an approver of their own. Null for roles that were given before this release.
alter table users add column role_given_at timestamptz;
alter table users alter column role_given_at set default now();

create function note_role() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.role_given_at = now();
  return new;
end $$;

create trigger users_note_role before update on users for each row
  when (old.role is distinct from new.role) execute function note_role();
