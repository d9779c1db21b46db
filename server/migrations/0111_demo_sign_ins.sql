-- Sign-ins with the link of `purser demo`, which were stored as a code of an authenticator app.
alter table sign_ins drop constraint sign_ins_how;
alter table sign_ins add constraint sign_ins_how
  check (how in ('password', 'code', 'recovery code', 'passkey', 'sso', 'demo link')) not valid;
