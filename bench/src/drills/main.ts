import { parseArgs } from "node:util";
import { drillConsume } from "./consume.ts";
import { drillFailover } from "./failover.ts";
import { drillIdle } from "./idle.ts";
import { drillMail } from "./mail.ts";
import { drillMigrations } from "./migrations.ts";
import { drillReadOnly } from "./readOnly.ts";
import { drillRecovery } from "./recovery.ts";
import { drillRedis } from "./redis.ts";
import { drillRolling } from "./rolling.ts";
import { drillTakeaway } from "./takeaway.ts";
import { drillTracing } from "./tracing.ts";
import { drillUpgrade } from "./upgrade.ts";

const { positionals, values } = parseArgs({
  options: {
    transactions: { type: "string", default: "1000000" },
    "backfill-minutes": { type: "string", default: "Infinity" },
  },
  allowPositionals: true,
});

const drills = {
  rolling: drillRolling,
  failover: drillFailover,
  recovery: drillRecovery,
  readonly: drillReadOnly,
  redis: drillRedis,
  mail: drillMail,
  consume: drillConsume,
  takeaway: drillTakeaway,
  upgrade: drillUpgrade,
  migrations: (signal: AbortSignal) =>
    drillMigrations(signal, {
      transactions: Number(values.transactions),
      backfillMinutes: Number(values["backfill-minutes"]),
    }),
  idle: drillIdle,
  tracing: drillTracing,
};

const help = `npm run drill -- <name>... | all

  rolling     two servers behind a load balancer are restarted under load: no request fails
  failover    the primary with a synchronous standby is killed under load, and the standby promoted: nothing is lost
  recovery    a cluster is destroyed and restored to a named second, then verified
  readonly    the database accepts no changes for 10 seconds
  redis       Redis is killed under load and comes back empty: no request fails
  mail        the mail server is away for an hour: every email arrives once
  consume     16 clients consume against a hard limit while servers and Redis are killed: no usage is lost or counted twice
  takeaway    access is taken away on one server, with and without Redis: another one denies within 1 s or 5 s
  upgrade     two servers of the previous release are updated under load: no request fails
  migrations  every migration since the previous release, with many transactions: no request waits for more than 2 s
              (--transactions 1000000, and --backfill-minutes 10 to end the backfills, which take hours with 10 million)
  idle        an installation without requests: at most 5 transactions a second
  tracing     the processor time of traces

Each starts PostgreSQL clusters of its own on free ports of 127.0.0.1, as the user postgres, and removes them. Run it as
root. Requires Debian's postgresql package and Redis. upgrade and migrations install the previous release from Git.
`;

const isName = (name: string): name is keyof typeof drills => Object.hasOwn(drills, name);
const wanted = positionals.includes("all") ? Object.keys(drills) : positionals;
if (wanted.length === 0 || !wanted.every(isName)) {
  console.log(help);
  process.exitCode = 1;
} else {
  const ending = new AbortController();
  process.once("SIGINT", () => ending.abort());
  for (const name of wanted) if (isName(name)) await drills[name](ending.signal);
}
