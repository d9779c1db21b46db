-- Key pairs that sign snapshots of entitlements. Apps verify them with the public keys of /.well-known/jwks.json.
create table signing_keys (
  id uuid constraint signing_keys_pkey primary key default uuid_v7(),
  -- Ed25519, as base64url.
  public_key text not null constraint signing_keys_public_key check (public_key ~ '^[A-Za-z0-9_-]{43}$'),
  -- The private key, encrypted with SECRET_KEYS.
  secret bytea not null,
  -- Until when apps find the public key. Null for the key that signs.
  listed_until timestamptz,
  created_at timestamptz not null default now()
);
create unique index signing_keys_current on signing_keys ((listed_until is null)) where listed_until is null;
select audit_table('signing_keys', '{secret}');
grant select, insert on signing_keys to purser_app;
grant update (secret, listed_until) on signing_keys to purser_app;
