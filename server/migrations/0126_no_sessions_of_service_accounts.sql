-- Whatever way of signing in a service account might be given by mistake, it gets no session.
create function refuse_service_session() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from users where id = new.user_id and is_service) then
    raise exception 'Service accounts can''t sign in.'
      using errcode = 'check_violation', constraint = 'sessions_of_people';
  end if;
  return new;
end
$$;
create trigger sessions_refuse_service before insert on sessions for each row execute function refuse_service_session();
