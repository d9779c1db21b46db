import { listAttention } from "@purser/contract/reports/attention";
import { rotateServiceKey } from "@purser/contract/users/serviceAccounts";
import { expect, test } from "vitest";
import { testProduct } from "../../../testing.ts";
import { serviceAccountsIn } from "../../users/testing/serviceAccounts.testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;

test("a key of a service account that expires soon is listed until it is rotated", async () => {
  const [boss, admin] = [await signIn("owner"), await signIn("admin")];
  const rowOf = async (person: { cookie: string }) =>
    (await call(person, listAttention, { query: {} })).body.items.find(
      ({ kind }) => kind === "expiring service keys",
    );
  const { id, keyId } = await serviceAccountsIn(product, boss).newCaller();
  expect(await rowOf(admin)).toBeUndefined();
  const soon = new Date(Date.now() + 5 * 86_400_000);
  await owner.query("update service_keys set expires_at = $2 where id = $1", [keyId, soon]);
  const row = await rowOf(admin);
  expect(row).toMatchObject({ count: 1, dueAt: soon.toISOString() });
  expect(row?.record).toMatchObject({ id: keyId, name: "Production" });
  for (const role of ["finance", "catalog", "support", "viewer"] as const)
    expect(await rowOf(await signIn(role))).toBeUndefined();
  const params = { id, keyId };
  const rotated = await call(boss, rotateServiceKey, { params, body: { overlapHours: 24 } });
  expect(rotated.status, rotated.text).toBe(201);
  expect(await rowOf(admin)).toBeUndefined();
});
