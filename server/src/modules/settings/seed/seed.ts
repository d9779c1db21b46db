import type { Seller } from "@purser/contract/workspace/settings";
import { type Db, run } from "#platform/db/db.ts";

const seller: Partial<Seller> = {
  name: "Northquay OÜ",
  lines: ["Example Quay 1"],
  postalCode: "10111",
  city: "Tallinn",
  country: "EE",
  vatNumber: "EE000000000",
  registrationNumber: "00000000",
  email: "billing@example.com",
};

/** The company as documents print it. A seller that is already entered isn't changed. */
export const seedDemoSeller = async (db: Db) => {
  await run(db, "update settings set seller = $1::jsonb where seller ->> 'name' is null", [
    JSON.stringify(seller),
  ]);
};
