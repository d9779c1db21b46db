-- The roles and the database of Purser (docs/operations.md#database-roles). Run it once, as a superuser:
--   psql -v owner_password=… -v login_password=… -f deploy/postgres/roles.sql
-- Without these variables, the passwords are read from the files that deploy/compose.yaml mounts.
\if :{?owner_password}
\else
  \set owner_password `cat /run/secrets/purser/owner_password`
  \set login_password `cat /run/secrets/purser/login_password`
\endif

-- Owns nothing. Every connection of the application uses it.
create role purser_app nologin;
-- MIGRATION_DATABASE_URL: owns the tables. The first migration needs createrole.
create role purser_owner login createrole password :'owner_password';
grant purser_app to purser_owner with admin option;
-- DATABASE_URL: has no privilege of its own.
create role purser_login login password :'login_password' in role purser_app;

create database purser owner purser_owner;
