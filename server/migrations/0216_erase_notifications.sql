-- Notifications name the team member who requested an approval or wrote a comment. Erasing them removes these.
create function erase_notifications() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from notifications n where n.user_id = old.id
    or n.kind = 'approval' and n.path in (
      select '/approvals?preview=' || a.id from approvals a where a.requested_by = old.id)
    or n.kind = 'mention' and split_part(n.path, '#', 2) in (
      select c.id::text from user_notes c where c.author_id = old.id);
  return new;
end
$$;
create trigger users_erase_notifications before update of status on users for each row
  when (new.status = 'erased' and old.status <> 'erased') execute function erase_notifications();
