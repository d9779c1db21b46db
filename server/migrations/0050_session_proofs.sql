-- When the user of a session last confirmed their identity, with two-factor authentication or, without it, the password.

alter table sessions add column proven_at timestamptz;
