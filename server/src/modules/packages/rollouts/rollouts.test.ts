import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../testing/testing.ts";
import { findDueRollouts, takeStep } from "./rolloutQueries.ts";

const product = await testProduct();
const { owner, platform, signIn } = product;
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, await signIn("admin"));

const rollOutAll = async () => {
  for (const { id } of await findDueRollouts(platform.db, new Date()))
    while (await platform.db.transaction().execute((db) => takeStep(db, id, new Date())));
};

test("keeps the end of a shortened grant and does not bring back a revoked one", async () => {
  const seats = await newLimit((await newApp()).id);
  const { id } = await newPackage();
  await give(id, seats, 5);
  await publish(id);
  const { rows: customers } = await owner.query<{ id: string }>(
    "insert into users (email, name, status) values ('ada@example.com', 'Ada', 'active') returning id",
  );
  const insert = (days: [starts: number, ends: number, promised: number], revoked = false) =>
    owner.query(
      `insert into grants (user_id, package_id, version_id, source, source_id, starts_at, ends_at, promised_until,
         revoked_at)
       select $1, $2, v.id, 'import', 'test', now() + $3 * interval '1 day', now() + $4 * interval '1 day',
         now() + $5 * interval '1 day', case when $6 then now() end
       from package_versions v where v.package_id = $2`,
      [customers[0]?.id, id, ...days, revoked],
    );
  await insert([-5, 10, 40]);
  await insert([20, 20, 40], true);
  await give(id, seats, 7);
  expect((await publish(id, { rollout: "now" })).status).toBe(200);
  await rollOutAll();
  const { rows } = await owner.query(
    `select round(extract(epoch from g.ends_at - now()) / 86400)::int as ends from grants g
     join package_versions v on v.id = g.version_id and v.number = 2`,
  );
  expect(rows).toEqual([{ ends: 10 }]);
});
