-- When the user of a session last signed in at the identity provider, which can be long before the session began.

alter table sessions add column authenticated_at timestamptz;
