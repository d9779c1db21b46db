import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { isNightly, sized } from "../runs.testing.ts";
import { testDatabase } from "../testing.ts";
import { fuzz } from "./fuzz.ts";
import { careful } from "./planted/careful.ts";
import { inEnvelopes } from "./planted/envelopes.ts";
import { inLists } from "./planted/lists.ts";
import { inReplies } from "./planted/replies.ts";
import { plantIn, type Served } from "./planted/server.ts";
import { inText } from "./planted/text.ts";
import { inValues } from "./planted/values.ts";

const kinds = [inText, inValues, inReplies, inEnvelopes, inLists];
// The gate plants a few of each kind.
const plants = kinds.flatMap((kind) =>
  isNightly ? kind : kind.filter((_, place) => place % 3 === 0),
);

const database = await testDatabase();
const pool = new pg.Pool({ connectionString: database.url, max: 4 });
await pool.query(`
  create table planted (
    id bigint generated always as identity,
    note text, short varchar(20), key varchar(255), count int, filled text check (filled <> '')
  );
  create table planted_once (key bytea primary key)`);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

// More requests than the product gets per operation, and a fixed seed, because each plant has one operation.
const seed = 2026;
const requests = sized({ gate: 200, nightly: 500 });

const fuzzPlant = async (plant: Served) => {
  const { app, options } = plantIn(pool, plant);
  const { violations } = await fuzz({ ...options, seed, requests });
  await app.close();
  return violations;
};

test.for(plants)("T28 the fuzzer finds: $name", async (plant) => {
  const found = (await fuzzPlant(plant)).map(({ oracle }) => oracle);
  expect(new Set(found)).toEqual(new Set([plant.oracle]));
});

test.for(careful)("T28 the fuzzer finds nothing where $name", async (plant) => {
  expect(await fuzzPlant(plant)).toEqual([]);
});
