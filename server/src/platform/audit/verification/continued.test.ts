import { createApp } from "@purser/contract/apps/endpoints";
import { expect, test } from "vitest";
import { loadRows, testProduct } from "#testing.ts";
import { sealAudit } from "./seals.ts";
import { beginVerifying, recordVerification, verifyOn } from "./verify.ts";

const { call, signIn, owner, platform } = await testProduct();
const admin = await signIn("admin");
const { db } = platform;
const now = new Date();

const newApp = (code: string) => call(admin, createApp, { body: { code, name: code } });

const verify = async (since: "start" | "last verified") => {
  const from = await beginVerifying(db, now, since);
  const { place, broken } = await verifyOn(db, from, { parallel: 3 });
  await recordVerification(db, place, broken);
  return { from, broken };
};

const rename = (code: string, name: string) =>
  loadRows(
    owner,
    `update audit_entries set after = jsonb_set(after, '{name}', to_jsonb($2::text))
     where after ->> 'code' = $1 and entity = 'apps'`,
    [code, name],
  );

await newApp("old");
await newApp("another");
await sealAudit(db);
await newApp("unsealed-at-first");

test("P11 the first verification is of the whole log", async () => {
  const { from, broken } = await verify("last verified");
  expect(broken).toBeNull();
  expect(from).toMatchObject({ seal: 0, entry: 0 });
});

test("P11 the next one continues with the first entry that wasn't sealed", async () => {
  await newApp("new");
  await sealAudit(db);
  const { from, broken } = await verify("last verified");
  expect(broken).toBeNull();
  expect(from.seal).toBe(1);
  const { rows } = await owner.query(
    "select id::int from audit_entries where after ->> 'code' = 'unsealed-at-first'",
  );
  expect(from.entry).toBeLessThan(rows[0].id);
});

test("P11 a fault among new entries is found, and then nothing counts as verified", async () => {
  await newApp("altered");
  await sealAudit(db);
  await rename("altered", "Something else");
  expect((await verify("last verified")).broken).toMatchObject({ what: "an entry was altered" });
  await rename("altered", "altered");
  const { from, broken } = await verify("last verified");
  expect([from.entry, broken]).toEqual([0, null]);
});

test("P11 an old entry that was altered is found by a verification of the whole log", async () => {
  await rename("old", "Something else");
  expect((await verify("last verified")).broken).toBeNull();
  expect((await verify("start")).broken).toMatchObject({ what: "an entry was altered" });
  // The result of the whole log isn't covered up by the next night.
  expect((await verify("last verified")).broken).toMatchObject({ what: "an entry was altered" });
  await rename("old", "old");
  expect((await verify("last verified")).broken).toBeNull();
});

test("P11 a seal that was replaced doesn't count as verified", async () => {
  const { rows } = await owner.query("select max(number)::int as number from audit_seals");
  const values = [rows[0].number];
  await loadRows(owner, "update audit_seals set hash = sha256(hash) where number = $1", values);
  const { from, broken } = await verify("last verified");
  expect([from.seal, broken?.what]).toEqual([0, "a seal does not match its entries"]);
});
