import { parseArgs } from "node:util";
import pg from "pg";
import { signIn } from "../setup/database.ts";
import { makeSettings } from "../setup/product.ts";
import { measureAll, requestPagesMax } from "./measure.ts";
import { explainEverything, planText } from "./plans.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    plans: { type: "boolean" },
    generic: { type: "boolean" },
    database: { type: "string" },
  },
});
const url = `postgres://root@127.0.0.1:5432/${values.database}`;
const client = new pg.Client({ connectionString: url });
await client.connect();
await explainEverything(
  client,
  values.database ?? "",
  values.generic ? "force_generic_plan" : "auto",
);
await client.query(
  "update users set email = id || '@example.com' where email = 'bench@example.com'",
);
const cookie = await signIn({
  query: async (t: string, v: unknown[] = []) => (await client.query(t, v)).rows,
} as never);
const { measured, requests, failed } = await measureAll(client, {
  settings: makeSettings(url),
  cookie,
  only: values.only,
});
await client.end();
const bad = measured
  .filter((m) => m.pages > m.pagesMax || m.faults.length > 0)
  .sort((a, b) => b.pages - a.pages);
const byName = Map.groupBy(bad, (m) => m.name);
for (const [name, all] of byName) {
  const worst = all[0]!;
  console.log(
    `${String(worst.pages).padStart(8)} ${name} x${all.length} ${worst.faults.join("; ")}\n         ${worst.url}`,
  );
  if (values.plans) console.log(worst.text.slice(0, 1500), "\n", planText(worst.plan));
}
console.log(
  "requests over",
  requests
    .filter((r) => r.pages > requestPagesMax)
    .map((r) => `${r.pages} ${r.asked.url}`)
    .slice(0, 60),
);
console.log("failed", failed.slice(0, 60), requests.length, measured.length);

import { writeFileSync } from "node:fs";

writeFileSync("/tmp/scale.json", JSON.stringify(measured));
