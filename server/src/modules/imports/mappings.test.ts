import {
  deleteImportMapping,
  listImportMappings,
  saveImportMapping,
} from "@purser/contract/workspace/importMappings";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { call, signIn } = await testProduct();
const boss = await signIn("owner");
const ada = await signIn("admin", "Ada Admin");
const ben = await signIn("admin", "Ben Admin");
const finance = await signIn("finance");

const fields = [
  { column: "Mail", field: "email" },
  { column: "Kunde", field: "name" },
];
const save = (name: string, more: object = {}) =>
  call(ada, saveImportMapping, { body: { kind: "customers", name, fields, ...more } });
const namesOf = async (kind: "customers" | "codes") =>
  (await call(ben, listImportMappings, { query: { kind } })).body.items.map(({ name }) => name);

test("a mapping is saved by name for the team, for its content only", async () => {
  const { status, text, body } = await save("Shop export");
  expect(status, text).toBe(201);
  expect(body).toMatchObject({ name: "Shop export", fields, createdBy: { name: "Ada Admin" } });
  await save("CRM");
  expect(await namesOf("customers")).toEqual(["CRM", "Shop export"]);
  expect(await namesOf("codes")).toEqual([]);
  const same = await save("SHOP EXPORT");
  expect(same.status).toBe(409);
  expect(same.body["errors"]).toMatchObject([{ pointer: "/name" }]);
});

test.each([
  ["a field that doesn't exist", [...fields, { column: "x", field: "password" }]],
  ["a field twice", [...fields, { column: "x", field: "email" }]],
  ["no column for a required field", [{ column: "Kunde", field: "name" }]],
])("a mapping with %s is refused", async (_fault, given) => {
  expect((await save("Faulty", { fields: given })).status).toBe(400);
});

test("its author and owners delete a mapping, and other roles can't see it", async () => {
  const { id } = (await save("Mine")).body;
  const remove = (person: { cookie: string }) =>
    call(person, deleteImportMapping, { params: { id } });
  const refused = await remove(ben);
  expect([refused.status, refused.body["reason"]]).toEqual([403, "import_mapping_not_own"]);
  expect((await remove(finance)).status).toBe(403);
  expect((await remove(boss)).status).toBe(204);
  expect((await remove(boss)).status).toBe(404);
  const seen = await call(finance, listImportMappings, { query: { kind: "customers" } });
  expect(seen.status).toBe(403);
});
