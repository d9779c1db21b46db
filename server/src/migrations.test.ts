import { expect, test } from "vitest";
import { lintMigrations, releasesIn } from "../../scripts/migrations/lint.ts";

// `npm run check` runs these rules on all migrations. The faults here are planted, so that each rule is seen failing.

const releases = ["0.6.0", "0.5.0"];
const earlier = {
  name: "0025_earlier",
  text: "-- backfill: fill-owners\ncreate table lines (id uuid, total int, owner text);",
};

const faultsOf = (...texts: string[]) => {
  const planted = texts.map((text, place) => ({ name: `00${26 + place}_planted`, text }));
  return lintMigrations([earlier, ...planted], releases);
};

const outside = "-- without transaction\n";

test.each([
  ["alter table apps add column a text not null", /apps\.a is NOT NULL without a default/],
  ["alter table apps add column a uuid default uuid_v7()", /apps\.a gets a value for each row/],
  ["alter table apps add column a timestamptz default clock_timestamp()", /rewrites the table/],
  ["alter table apps add column a bigserial", /rewrites the table/],
  ["alter table apps add column a int generated always as identity", /rewrites the table/],
  ["alter table apps add column a int generated always as (1) stored", /rewrites the table/],
  ["alter table apps add column a int constraint a check (a > 0)", /checks all rows/],
  ["alter table apps add column a int default 1 references x (id)", /checks all rows/],
  ["alter table apps add column a int unique", /builds an index while the table is locked/],
  ["alter table apps alter column name type varchar(80)", /new type of apps\.name/],
  ["alter table apps add constraint a check (name <> '')", /constraint a of apps checks all rows/],
  ["alter table apps add constraint a foreign key (b) references x (id)", /Add NOT VALID/],
  ["alter table apps add constraint a unique (name)", /with USING INDEX/],
  ["alter table apps add constraint a exclude using gist (p with &&)", /builds an index/],
  ["alter table apps alter column name set not null", /First add CHECK \(name IS NOT NULL\)/],
  ["create index apps_a on apps (name)", /blocks writes to apps/],
  ["create index concurrently if not exists apps_a on apps (name)", /in the first line/],
  ["drop index apps_a", /Drop it concurrently/],
  ["drop table apps", /It drops apps\. Name the release/],
  ["drop function erase_person(uuid)", /It drops erase_person\. Name the release/],
  ["alter table apps drop column name", /It drops apps\.name\. Name the release/],
  ["alter table apps rename column name to title", /It renames apps\.name\. Name the release/],
  ["alter table apps rename to products", /It renames apps\. Name the release/],
  ["-- unused since 0.7.0\ndrop table apps", /0\.7\.0, which isn't a release/],
  ["update apps set name = 'x'", /many rows of apps.*backfill/],
  ["update apps set name = 'x' where name = 'y'", /many rows of apps/],
  ["update apps a set name = 'x' from users u where a.id = u.id", /many rows of apps/],
  ["delete from apps", /many rows of apps/],
  ["with gone as (delete from apps returning *) select from gone", /many rows of apps/],
  ["create table b (id uuid); insert into b select id from apps", /many rows of b/],
  ["create table b as select id from apps", /many rows of a new table/],
  ["truncate apps", /TRUNCATE locks/],
  ["do $$ begin update apps set name = 'x'; end $$", /DO block/],
  ["lock table apps", /LOCK TABLE/],
  ["begin", /Remove BEGIN/],
  ["set lock_timeout = 0", /Remove SET/],
  ["vacuum full apps", /Autovacuum/],
  ["alter table apps add column a int; alter table users add column a int", /apps, users/],
  [
    "alter table apps add constraint a check (b > 0) not valid, validate constraint a",
    /Validate it in a later one/,
  ],
  ["alter table apps validate constraint a, add column b int", /migration of its own/],
  [`${outside}create index concurrently apps_a on apps (name)`, /can be repeated/],
  [`${outside}alter table apps add column a int`, /can be repeated/],
  [`${outside}/* a /* nested; */ comment */ analyze apps`, /can't separate its statements/],
  ["-- Why\n-- without transaction\nanalyze apps", /must be the first line/],
  ["-- without transactions\nanalyze apps", /isn't a directive/],
  ["select 1;\n-- backfill: late", /isn't in the comment at the top/],
  ["-- requires backfill: unknown\nselect 1", /which no earlier migration starts/],
  ["-- backfill: fill-owners\nselect 1", /starts the backfill fill-owners already/],
])("R6 refuses the migration: %s", async (text, fault) => {
  expect((await faultsOf(text)).join("\n")).toMatch(fault);
});

test.each([
  ["alter table apps add column a text, add column b int not null default 0"],
  ["alter table apps add column a timestamptz not null default now()"],
  ["alter table apps add column a text[] not null default '{}'"],
  ["alter table apps add column a uuid constraint a references users (id)"],
  ["alter table apps alter column id set default uuid_v7()"],
  ["alter table apps add constraint a check (name <> '') not valid"],
  ["alter table apps add constraint a unique using index apps_a"],
  ["alter table apps validate constraint a"],
  ["create table b (id uuid unique, name text not null); create index b_name on b (name)"],
  ["create table b (id int); insert into b values (1); update b set id = 2"],
  ["update settings set grace_days = 1 where id = '00000000-0000-7000-8000-000000000001'"],
  ["create function f() returns void language sql as $$ update apps set name = 'x' $$"],
  ["-- unused since 0.6.0\nalter table apps drop column name"],
  ["-- requires backfill: fill-owners\nselect 1"],
  [`${outside}create index concurrently if not exists apps_a on apps (name); analyze apps`],
  [`${outside}drop index concurrently if exists apps_a`],
])("R6 allows the migration: %s", async (text) => {
  expect(await faultsOf(text)).toEqual([]);
});

test("R6 allows SET NOT NULL after a constraint that proves it", async () => {
  const added = "alter table lines add constraint owned check (owner is not null) not valid";
  const validated = "alter table lines validate constraint owned";
  const setNotNull = "alter table lines alter column owner set not null";
  expect(await faultsOf(added, validated, setNotNull)).toEqual([]);
  expect(await faultsOf(added, setNotNull)).toHaveLength(1);
  const other = "alter table lines add constraint owned check (total is not null) not valid";
  expect(await faultsOf(other, validated, setNotNull)).toHaveLength(1);
});

test("R6 refuses two migrations with one number, and exempts those up to 0024", async () => {
  const drop = { name: "0024_gone", text: "drop table apps" };
  expect(await lintMigrations([drop], releases)).toEqual([]);
  const same = [earlier, { name: "0025_other", text: "select 1" }];
  expect(await lintMigrations(same, releases)).toEqual([
    "0025_other: Another migration has the same number.",
  ]);
});

test("R6 takes a version as released when the changelog has its date", () => {
  expect(releasesIn("# Changelog\n\n## Unreleased\n\n## 0.6.0 (2026-12-01)\n## 0.5.0 (…)")).toEqual(
    releases,
  );
});
