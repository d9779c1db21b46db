import fc from "fast-check";
import { expect, test } from "vitest";
import { reports } from "#commands/reports.ts";
import { runHere } from "#commands/testing.ts";
import { anyHistory } from "#modules/ledger/testing/history.testing.ts";
import { play } from "#modules/ledger/testing/run.testing.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { storeHistory } from "./testing/storeHistory.testing.ts";

const { owner, config } = await testProduct();

const histories = sized({ gate: 150, nightly: 5000 });
// Not a whole day, so that entries are at all times of the day.
const betweenEntriesMs = 31 * 3_600_000;

test("figures of generated histories equal their postings, by day, tax account and dimension", async () => {
  const client = await owner.connect();
  await client.query("set session_replication_role = replica");
  for (const history of fc.sample(anyHistory, histories))
    await storeHistory(client, play(history), betweenEntriesMs);
  await client.query("set session_replication_role = origin");
  client.release();
  const { rows } = await owner.query(
    "select kind from journal_entries where kind in ('sale', 'credit', 'refund', 'chargeback') group by 1 order by 1",
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["chargeback", "credit", "refund", "sale"]);
  expect(await runHere(config, reports, "rebuild")).toMatchObject({ code: 0 });
  expect(await runHere(config, reports, "verify")).toMatchObject({ code: 0, stderr: "" });
});
