import { changeFeature } from "@purser/contract/features/endpoints";
import { expect, test, vi } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { testProduct } from "../../testing.ts";
import { packagesIn } from "./testing/testing.ts";

const { call, signIn, owner, platform } = await testProduct();
const { newPackage, newVersion } = packagesIn(owner);
const admin = await signIn("admin");

const options = ["bronze", "silver", "gold"].map((code) => ({ code, name: code }));

test("refuses to remove an option that a package gets at the same time", async () => {
  const { rows } = await owner.query(
    `with app as (insert into apps (code, name) values ('harbor', 'Harbor') returning id)
     insert into features (app_id, code, name, kind, combining, options, default_value, enforcement, fallback)
     select id, 'tier', 'Tier', 'choice', 'largest', $1, '"bronze"', 'hard', 'allow' from app
     returning id, app_id`,
    [JSON.stringify(options)],
  );
  const { id, app_id: appId } = rows[0];
  const versionId = await newVersion(await newPackage("base"), "draft", []);
  const details = { code: "tier", name: "Tier", kind: "choice", defaultValue: "bronze" } as const;
  const body = { ...details, options: options.slice(0, 2) };
  const { change: changed } = await platform.db.transaction().execute(async (db) => {
    await db.insertInto("versionApps").values({ versionId, appId }).execute();
    const value = JSON.stringify("gold");
    await db
      .insertInto("versionValues")
      .values({ versionId, appId, featureId: id, value })
      .execute();
    const change = call(admin, changeFeature, { params: { id }, version: 1, body });
    await vi.waitFor(async () => {
      const { rowCount } = await owner.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rowCount).toBe(1);
    }, patiently(10_000));
    return { change };
  });
  const { status, body: problem } = await changed;
  expect([status, problem["errors"]]).toMatchObject([
    409,
    [{ pointer: "/options", code: "feature_options_used" }],
  ]);
});
