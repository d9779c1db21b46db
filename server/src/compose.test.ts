import { readFileSync } from "node:fs";
import { fieldsOf } from "@purser/contract/endpoints";
import { entities, entityNames } from "@purser/contract/entities";
import { namesByColumn } from "@purser/contract/fields/declarations";
import { settable } from "@purser/contract/workspace/revert";
import { expect, test } from "vitest";
import { backfills, jobsOf } from "./compose.ts";
import { directivesOf, readMigrations } from "./platform/db/migrations/files.ts";
import { camelCase } from "./platform/db/names.ts";
import { revertingIn } from "./reverting.ts";
import { testProduct } from "./testing.ts";

const { owner, config } = await testProduct();

test("every entity that can be reverted has a module in compose.ts", () => {
  const done = revertingIn({
    COMPANY_NAME: "Purser",
    WEBHOOK_DELIVERY_DAYS: 30,
    WEBHOOK_EVENT_DAYS: 30,
    COMPANY_TIME_ZONE: "UTC",
  });
  const known: string[] = done.map(({ entity }) => entity);
  const wanted = Object.entries(settable).filter(([, { fields }]) => fields.length > 0);
  expect(wanted.map(([entity]) => entity).filter((entity) => !known.includes(entity))).toEqual([]);
});

test.each(entityNames)("every column of %s has a label for the activity", async (name) => {
  const { rows } = await owner.query<{ column_name: string }>(
    "select column_name from information_schema.columns where table_name = $1",
    [name],
  );
  const declared = namesByColumn(fieldsOf(entities[name].one));
  const columns = rows.map(({ column_name }) => camelCase(column_name));
  expect(columns.filter((column) => !Object.hasOwn(declared, column))).toEqual([]);
});

test("R6 compose.ts has every backfill that a migration starts and no other", async () => {
  const started = (await readMigrations()).flatMap(({ text }) => directivesOf(text).starts);
  expect(backfills.map(({ name }) => name).sort()).toEqual(started.sort());
});

test("every job has a name on the System page", () => {
  const labels = new URL("../../web/src/screens/system/labels.ts", import.meta.url);
  const labelled = [...readFileSync(labels, "utf8").matchAll(/^ {2}"([a-z-]+)": t`/gm)];
  const { jobs } = jobsOf(config, { send: async () => undefined, close: () => undefined });
  expect(labelled.map(([, name]) => name).sort()).toEqual(jobs.map(({ name }) => name).sort());
});
