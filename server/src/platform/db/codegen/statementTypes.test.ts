import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "#testing.ts";
import { differences, generateRows, loadStatements } from "./statementTypes.ts";

const stored = readFileSync(new URL("../statements.gen.ts", import.meta.url), "utf8");

const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The generated type of a statement, on one line. */
const typeOf = async (...texts: string[]) => {
  const generated = await generateRows(client, new Map([["planted.planted", texts]]));
  const type = /row: (.*?);\s+nullable: ([^;]*);\s+\};\s+\};/s.exec(generated);
  return `${type?.[1]} / ${type?.[2]}`.replace(/\s+/g, " ");
};

test("has the types of the statements and the migrated database", async () => {
  const generated = await generateRows(client, await loadStatements());
  expect(differences(stored, generated)).toEqual([]);
  expect(stored === generated, "Run `npm run schema` and commit what it writes.").toBe(true);
});

const named = "users.named";
const faults = [
  ["a dropped column", (text: string) => text.replace("number, ", "")],
  ["a renamed column", (text: string) => text.replace("number", "number as digits")],
  ["a column of another type", (text: string) => text.replace("number", "version as number")],
  [
    "a column that becomes an expression",
    (text: string) => text.replace("name", "lower(name) as name"),
  ],
] as const;

test.each(faults)("notices %s in its statement", async (_, plant) => {
  const statements = new Map(await loadStatements());
  const texts = statements.get(named) ?? [];
  const planted = texts.map(plant);
  expect(planted).not.toEqual(texts);
  const generated = await generateRows(client, statements.set(named, planted));
  expect(differences(stored, generated)).toEqual([named]);
});

test("notices a removed, added or renamed statement", async () => {
  const statements = new Map(await loadStatements());
  const texts = statements.get(named) ?? [];
  statements.delete(named);
  const generated = await generateRows(client, statements.set("users.renamed", texts));
  expect(differences(stored, generated)).toEqual([named, "users.renamed"]);
});

test("notices a column that becomes nullable wherever it is read", async () => {
  const statements = await loadStatements();
  await client.query("alter table users alter column number drop not null");
  const generated = await generateRows(client, statements);
  await client.query("alter table users alter column number set not null");
  expect(differences(stored, generated)).toContain(named);
  expect(differences(stored, generated)).not.toContain("apps.apps");
});

test.each([
  [
    "select id, external_id from users",
    '{ id: string; external_id: string | null; } / "external_id"',
  ],
  ["select count(*) as many from users", "{ many: string | null; } / never"],
  ["select count(*)::int as many from users", "{ many: number | null; } / never"],
  ["select status from packages", '{ status: "draft" | "active" | "archived"; } / never'],
  ["select before from audit_entries", '{ before: unknown; } / "before"'],
  ["select 1.5 as amount", "{ amount: string | null; } / never"],
  ["insert into app_keys default values returning created_at", "{ created_at: Date; } / never"],
  ["select from users", "Record<never, never> / never"],
  ["select x.id from (select id from users) x", "{ id: string; } / never"],
  ["select id from users union all select null", "{ id: string | null; } / never"],
  ["select name from users group by rollup (name)", '{ name: string | null; } / "name"'],
  ["select id from users where $2 = id", "{ id: string; } / never"],
])("%s has the rows %s", async (text, type) => {
  expect(await typeOf(text)).toBe(type);
});

const optional = '{ name: string | null; } / "name"';
const required = "{ name: string; } / never";

test.each([
  ["select p.name from grants g left join packages p on p.id = g.package_id", optional],
  ["select p.name from packages p left join grants g on p.id = g.package_id", required],
  ["select p.name from packages p right join grants g on p.id = g.package_id", optional],
  ["select p.name from packages p full join grants g on p.id = g.package_id", optional],
  [
    "select p.name from grants g left join packages p on p.id = g.package_id for update of g",
    optional,
  ],
  [
    "select p.name from grants g left join packages p on p.id = g.package_id where p.id = $1",
    required,
  ],
  [
    "select x.name from (select p.name from grants g left join packages p on p.id = g.package_id limit 5) x",
    optional,
  ],
  [
    "select s.name from (select) nothing left join lateral (select * from packages order by id limit 1) s on true",
    optional,
  ],
  [
    "with p as materialized (select * from packages) select p.name from grants g left join p on p.id = g.package_id",
    optional,
  ],
  [
    "select one.name from packages one left join packages other on other.sort = one.sort + 1",
    required,
  ],
  [
    "select other.name from packages one left join packages other on other.sort = one.sort + 1",
    optional,
  ],
  [
    "update grants g set reason = '' from grants h left join packages p on p.id = h.package_id where g.id = h.id returning p.name",
    optional,
  ],
])("a column of an outer join may be missing: %s", async (text, type) => {
  expect(await typeOf(text)).toBe(type);
});

test("makes a column nullable if it is in one example of a template", async () => {
  const inner = "select p.name from grants g join packages p on p.id = g.package_id";
  expect(await typeOf(inner, inner.replace(" join", " left join"))).toBe(optional);
});

test.each([
  ["select id, nothing from users", /column "nothing" does not exist/],
  ["select id, merged_into as id from users", /Two columns have the same name/],
  ["select point(1, 2) as place", /No TypeScript type is known for point/],
])("%s can't be typed", async (text, message) => {
  await expect(typeOf(text)).rejects.toThrow(message);
});

test("requires the same columns in all examples of a template", async () => {
  const differing = typeOf("select id from users", "select version as id from users");
  await expect(differing).rejects.toThrow("different columns");
});
