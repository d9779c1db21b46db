CREATE SCHEMA public;

COMMENT ON SCHEMA public IS 'standard public schema';

CREATE FUNCTION public.audit_await_seal() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into audit_unsealed (entry_id) select id from new_rows;
  return null;
end
$$;

CREATE FUNCTION public.audit_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  traces text[] := coalesce(tg_argv[1], '{}')::text[];
  hidden text[] := coalesce(tg_argv[0], '{}')::text[] || traces;
  announced text := coalesce(current_setting('purser.changed', true), '');
  many text := tg_table_name || ':*:update';
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    insert into audit_entries (entity, record_id, action, after)
    select tg_table_name, n.id, 'insert', to_jsonb(n) - hidden from new_rows n;
    touched := array(select id from new_rows limit 21);
  elsif tg_op = 'UPDATE' then
    insert into audit_entries (entity, record_id, action, before, after)
    select tg_table_name, n.id, 'update', to_jsonb(o) - hidden, to_jsonb(n) - hidden
    from new_rows n join old_rows o using (id)
    where to_jsonb(o) - traces is distinct from to_jsonb(n) - traces;
    if exists (select from new_rows n where not exists (select from old_rows o where o.id = n.id)) then
      raise exception 'an id never changes';
    end if;
    touched := array(select id from new_rows limit 21);
  else
    insert into audit_entries (entity, record_id, action, before)
    select tg_table_name, o.id, 'delete', to_jsonb(o) - hidden from old_rows o;
    touched := array(select id from old_rows limit 21);
  end if;

  if cardinality(touched) > 0 and not many = any (string_to_array(announced, ' ')) then
    if cardinality(touched) > 20 or length(announced) > 2000 then
      announced := announced || ' ' || many;
    else
      announced := announced || (
        select string_agg(format(' %s:%s:%s', tg_table_name, id, lower(tg_op)), '')
        from unnest(touched) as id
      );
    end if;
    perform set_config('purser.changed', ltrim(announced), true);
  end if;
  return null;
end
$$;

CREATE TABLE public.audit_entries (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    entity text NOT NULL,
    record_id uuid NOT NULL,
    action text NOT NULL,
    actor_kind text DEFAULT COALESCE(NULLIF(current_setting('purser.actor_kind'::text, true), ''::text), 'database'::text) NOT NULL,
    actor_id uuid DEFAULT (NULLIF(current_setting('purser.actor_id'::text, true), ''::text))::uuid,
    actor_name text DEFAULT COALESCE(NULLIF(current_setting('purser.actor_name'::text, true), ''::text), (SESSION_USER)::text),
    address text DEFAULT NULLIF(current_setting('purser.address'::text, true), ''::text),
    request_id text DEFAULT NULLIF(current_setting('purser.request_id'::text, true), ''::text),
    reason text DEFAULT NULLIF(current_setting('purser.reason'::text, true), ''::text),
    before jsonb,
    after jsonb,
    hash bytea NOT NULL,
    CONSTRAINT audit_entries_action CHECK ((action = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text]))),
    CONSTRAINT audit_entries_actor_kind CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'system'::text, 'database'::text])))
);

COMMENT ON TABLE public.audit_entries IS 'Written by triggers only. Append-only for every role but its owner.';

CREATE FUNCTION public.audit_digest(entry public.audit_entries) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select sha256(convert_to(jsonb_build_array(
    entry.id, extract(epoch from entry.at), entry.entity, entry.record_id, entry.action,
    entry.actor_kind, entry.actor_id, entry.actor_name, entry.address, entry.request_id,
    entry.reason, entry.before, entry.after
  )::text, 'UTF8'))
$$;

CREATE FUNCTION public.audit_seal(entries_max integer DEFAULT 1000) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  ids bigint[];
  previous record;
begin
  perform pg_advisory_xact_lock(hashtext('audit_seal'));
  with taken as (
    delete from audit_unsealed
    where entry_id in (select entry_id from audit_unsealed order by entry_id limit entries_max)
    returning entry_id
  )
  select array_agg(entry_id order by entry_id) into ids from taken;
  if ids is null then return 0; end if;

  select number, hash into previous from audit_seals order by number desc limit 1;
  insert into audit_seals (number, entry_ids, hash)
  values (
    coalesce(previous.number, 0) + 1,
    ids,
    audit_seal_hash(coalesce(previous.hash, ''::bytea), ids)
  );
  return cardinality(ids);
end
$$;

CREATE FUNCTION public.audit_seal_hash(previous bytea, ids bigint[]) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select sha256(previous || string_agg(coalesce(entry.hash, ''::bytea), ''::bytea order by place))
  from unnest(ids) with ordinality as sealed (entry_id, place)
  left join audit_entries entry on entry.id = sealed.entry_id
$$;

CREATE FUNCTION public.audit_stamp() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  new.hash := audit_digest(new);
  return new;
end
$$;

CREATE FUNCTION public.audit_table(audited regclass, secrets text[] DEFAULT '{}'::text[], traces text[] DEFAULT '{}'::text[]) RETURNS void
    LANGUAGE plpgsql
    AS $_$
begin
  execute format(
    'create trigger audit_insert after insert on %1$s referencing new table as new_rows
       for each statement execute function audit_change(%2$L, %3$L);
     create trigger audit_update after update on %1$s referencing old table as old_rows new table as new_rows
       for each statement execute function audit_change(%2$L, %3$L);
     create trigger audit_delete after delete on %1$s referencing old table as old_rows
       for each statement execute function audit_change(%2$L, %3$L)', audited, secrets, traces);
end
$_$;

CREATE FUNCTION public.audit_verify() RETURNS TABLE(what text, number bigint)
    LANGUAGE sql STABLE
    AS $$
  (
    select 'an entry was altered', entry.id from audit_entries entry
    where entry.hash is distinct from audit_digest(entry) order by entry.id limit 1
  )
  union all
  (
    select 'a seal does not match its entries', seal.number
    from (
      select s.*, lag(s.hash, 1, ''::bytea) over (order by s.number) as previous,
        lag(s.number, 1, 0::bigint) over (order by s.number) as previous_number
      from audit_seals s
    ) seal
    where seal.hash is distinct from audit_seal_hash(seal.previous, seal.entry_ids)
      or seal.number <> seal.previous_number + 1
    order by seal.number limit 1
  )
  union all
  (
    select 'an entry is in no seal', entry.id from audit_entries entry
    where not exists (select from audit_unsealed waiting where waiting.entry_id = entry.id)
      and entry.id not in (select unnest(entry_ids) from audit_seals)
    order by entry.id limit 1
  )
  limit 1
$$;

CREATE FUNCTION public.end_sessions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from sessions where user_id = new.id;
  delete from challenges where user_id = new.id;
  if old.status is distinct from new.status then
    delete from links where user_id = new.id;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.keep_an_owner() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  perform pg_advisory_xact_lock(hashtext('owners'));
  if not exists (select from users where role = 'owner' and status = 'active') then
    raise exception 'Make somebody else an active owner first.'
      using errcode = 'check_violation', constraint = 'problem_last_owner';
  end if;
  return null;
end
$$;

CREATE FUNCTION public.keep_used_code() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if old.activated_at is not null or exists (select from app_keys where app_id = old.id) then
    raise exception 'Other programs already use the code. Create another app to use another code.'
      using errcode = 'check_violation', constraint = 'problem_code_frozen';
  end if;
  return new;
end
$$;

CREATE FUNCTION public.touch_row() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end
$$;

CREATE FUNCTION public.uuid_v7(at timestamp with time zone DEFAULT clock_timestamp()) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS $$
  select encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3)
          from 1 for 6
        ), 52, 1
      ), 53, 1
    ), 'hex')::uuid
$$;

CREATE TABLE public.app_keys (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    app_id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    scopes text[] NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT app_keys_kind CHECK ((kind = ANY (ARRAY['server'::text, 'publishable'::text]))),
    CONSTRAINT app_keys_publishable_reads CHECK (((kind = 'server'::text) OR (NOT ('usage:write'::text = ANY (scopes))))),
    CONSTRAINT app_keys_scopes CHECK ((scopes <@ ARRAY['entitlements:read'::text, 'usage:write'::text]))
);

CREATE TABLE public.apps (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    platforms text[] DEFAULT '{}'::text[] NOT NULL,
    icon text DEFAULT 'apps'::text NOT NULL,
    support_email text,
    status text DEFAULT 'draft'::text NOT NULL,
    activated_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT apps_activated CHECK (((status = 'draft'::text) = (activated_at IS NULL))),
    CONSTRAINT apps_code CHECK ((code ~ '^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$'::text)),
    CONSTRAINT apps_description CHECK ((length(description) <= 2000)),
    CONSTRAINT apps_name CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT apps_platforms CHECK ((platforms <@ ARRAY['web'::text, 'ios'::text, 'android'::text, 'desktop'::text, 'api'::text])),
    CONSTRAINT apps_status CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text])))
);

ALTER TABLE public.audit_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_seals (
    number bigint NOT NULL,
    sealed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    entry_ids bigint[] NOT NULL,
    hash bytea NOT NULL
);

CREATE TABLE public.audit_unsealed (
    entry_id bigint NOT NULL
);

CREATE TABLE public.authenticators (
    id uuid NOT NULL,
    secret bytea NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.challenges (
    token_hash bytea NOT NULL,
    purpose text NOT NULL,
    user_id uuid,
    webauthn text,
    tries integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT challenges_purpose CHECK ((purpose = ANY (ARRAY['code'::text, 'passkey sign-in'::text, 'passkey adding'::text])))
);

CREATE TABLE public.drafts (
    user_id uuid NOT NULL,
    form text NOT NULL,
    record_version integer NOT NULL,
    base jsonb NOT NULL,
    value jsonb NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    CONSTRAINT drafts_base CHECK ((jsonb_typeof(base) = 'object'::text)),
    CONSTRAINT drafts_form CHECK ((form ~ '^[a-z0-9-]{1,120}$'::text)),
    CONSTRAINT drafts_record_version CHECK ((record_version >= 0)),
    CONSTRAINT drafts_value CHECK ((jsonb_typeof(value) = 'object'::text))
);

CREATE TABLE public.idempotency_keys (
    caller text NOT NULL,
    operation text NOT NULL,
    key_hash bytea NOT NULL,
    fingerprint bytea NOT NULL,
    status integer,
    answer bytea,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.known_devices (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);

CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.links (
    token_hash bytea NOT NULL,
    purpose text NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT links_purpose CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text])))
);

CREATE TABLE public.passkeys (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE public.passwords (
    id uuid NOT NULL,
    hash text NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.preferences (
    user_id uuid NOT NULL,
    value jsonb NOT NULL,
    CONSTRAINT preferences_value CHECK ((jsonb_typeof(value) = 'object'::text))
);

CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    address text NOT NULL,
    device text NOT NULL
);

CREATE TABLE public.tries (
    subject bytea NOT NULL,
    failures integer NOT NULL,
    blocked_until timestamp with time zone,
    last_at timestamp with time zone NOT NULL
);

CREATE TABLE public.users (
    id uuid DEFAULT public.uuid_v7() NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text,
    status text DEFAULT 'invited'::text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_email CHECK ((email = lower(email))),
    CONSTRAINT users_role CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'catalogue'::text, 'finance'::text, 'support'::text, 'viewer'::text]))),
    CONSTRAINT users_status CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text, 'erased'::text])))
);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_seals
    ADD CONSTRAINT audit_seals_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.audit_unsealed
    ADD CONSTRAINT audit_unsealed_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (user_id, form);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, operation, key_hash);

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.preferences
    ADD CONSTRAINT preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.tries
    ADD CONSTRAINT tries_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX app_keys_by_app ON public.app_keys USING btree (app_id, id);

CREATE UNIQUE INDEX app_keys_secret ON public.app_keys USING btree (secret_hash);

CREATE INDEX apps_by_name ON public.apps USING btree (lower(name), id);

CREATE INDEX apps_by_status ON public.apps USING btree (status, id);

CREATE INDEX apps_by_update ON public.apps USING btree (updated_at, id);

CREATE UNIQUE INDEX apps_code_taken ON public.apps USING btree (code);

CREATE INDEX apps_search ON public.apps USING gin (lower(name) public.gin_trgm_ops, code public.gin_trgm_ops);

CREATE INDEX audit_entries_entity ON public.audit_entries USING btree (entity, id);

CREATE INDEX audit_entries_record ON public.audit_entries USING btree (entity, record_id, id DESC);

CREATE INDEX challenges_expiry ON public.challenges USING btree (expires_at);

CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);

CREATE INDEX known_devices_seen ON public.known_devices USING btree (seen_at);

CREATE INDEX links_user ON public.links USING btree (user_id);

CREATE UNIQUE INDEX passkeys_credential_id_taken ON public.passkeys USING btree (credential_id);

CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX tries_last ON public.tries USING btree (last_at);

CREATE UNIQUE INDEX users_email_taken ON public.users USING btree (email);

CREATE INDEX users_staff ON public.users USING btree (id) WHERE (role IS NOT NULL);

CREATE TRIGGER apps_keep_used_code BEFORE UPDATE OF code ON public.apps FOR EACH ROW WHEN ((old.code IS DISTINCT FROM new.code)) EXECUTE FUNCTION public.keep_used_code();

CREATE TRIGGER apps_touch BEFORE UPDATE ON public.apps FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

CREATE TRIGGER audit_delete AFTER DELETE ON public.app_keys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.apps REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.authenticators REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{last_step}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.passkeys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{public_key}', '{counter,last_used_at}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.passwords REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{hash}', '{}');

CREATE TRIGGER audit_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_entries_await_seal AFTER INSERT ON public.audit_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_await_seal();

CREATE TRIGGER audit_entries_stamp BEFORE INSERT ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION public.audit_stamp();

CREATE TRIGGER audit_insert AFTER INSERT ON public.app_keys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.apps REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.authenticators REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{last_step}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.passkeys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{public_key}', '{counter,last_used_at}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.passwords REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{hash}', '{}');

CREATE TRIGGER audit_insert AFTER INSERT ON public.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.app_keys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret_hash}', '{last_used_at}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.apps REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.authenticators REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{secret}', '{last_step}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.passkeys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{public_key}', '{counter,last_used_at}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.passwords REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{hash}', '{}');

CREATE TRIGGER audit_update AFTER UPDATE ON public.users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_change('{}', '{}');

CREATE TRIGGER users_end_sessions AFTER UPDATE OF role, status ON public.users FOR EACH ROW WHEN (((old.role IS DISTINCT FROM new.role) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION public.end_sessions();

CREATE CONSTRAINT TRIGGER users_keep_an_owner AFTER DELETE OR UPDATE ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.role = 'owner'::text) AND (old.status = 'active'::text))) EXECUTE FUNCTION public.keep_an_owner();

CREATE TRIGGER users_touch BEFORE UPDATE ON public.users FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.touch_row();

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_app FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.audit_unsealed
    ADD CONSTRAINT audit_unsealed_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES public.audit_entries(id);

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_id_fkey FOREIGN KEY (id) REFERENCES public.users(id);

ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_user FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_id_fkey FOREIGN KEY (id) REFERENCES public.users(id);

ALTER TABLE ONLY public.preferences
    ADD CONSTRAINT preferences_user FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

GRANT USAGE ON SCHEMA public TO purser_app;

GRANT SELECT ON TABLE public.audit_entries TO purser_app;

REVOKE ALL ON FUNCTION public.audit_table(audited regclass, secrets text[], traces text[]) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE public.app_keys TO purser_app;

GRANT UPDATE(revoked_at) ON TABLE public.app_keys TO purser_app;

GRANT UPDATE(last_used_at) ON TABLE public.app_keys TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.apps TO purser_app;

GRANT SELECT ON TABLE public.audit_seals TO purser_app;

GRANT SELECT ON TABLE public.audit_unsealed TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.authenticators TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.challenges TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.drafts TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.known_devices TO purser_app;

GRANT SELECT ON TABLE public.kysely_migration TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.links TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passkeys TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passwords TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.preferences TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.recovery_codes TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO purser_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tries TO purser_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.users TO purser_app;

