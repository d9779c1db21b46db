import { setTimeout as wait } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { freePort } from "../setup/processes.ts";
import { changeHeaders, startProduct, startWorker } from "../setup/product.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";

/** Keeps the recipient of every email that was taken. */
const startMailServer = async (port: string) => {
  const taken: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      stream.resume().on("end", () => {
        taken.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
  return {
    taken,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};

type Attempts = { waiting: number; done: number; failed: number; most: number };

const attemptsOf = async (cluster: Cluster) => {
  const [row] = await cluster.query<Attempts>(
    `select count(*) filter (where state in ('created', 'retry', 'active'))::int as waiting,
       count(*) filter (where state = 'completed')::int as done,
       count(*) filter (where state = 'failed')::int as failed, coalesce(max(retry_count), 0)::int as most
     from pgboss.job where name = 'send-link'`,
    "purser",
  );
  return row ?? { waiting: 0, done: 0, failed: 0, most: 0 };
};

/** Lets the time until the next attempts pass. Returns the seconds that passed for the most patient email. */
const passTime = async (cluster: Cluster) => {
  const [row] = await cluster.query<{ seconds: number }>(
    `with waiting as (
       select id, greatest(extract(epoch from start_after - now()), 0) as seconds
       from pgboss.job where name = 'send-link' and state = 'retry'
     ), passed as (
       update pgboss.job j set start_after = now() from waiting w where j.name = 'send-link' and j.id = w.id
     )
     select coalesce(min(seconds), 0)::float8 as seconds from waiting`,
    "purser",
  );
  return row?.seconds ?? 0;
};

/** Until no email of this round is left to try. */
const untilTried = async (cluster: Cluster, limitMs = 60_000) => {
  const start = performance.now();
  for (;;) {
    const [row] = await cluster.query<{ due: number }>(
      `select count(*)::int as due from pgboss.job where name = 'send-link'
         and (state in ('created', 'active') or state = 'retry' and start_after <= now())`,
      "purser",
    );
    if (row?.due === 0) return;
    if (performance.now() - start > limitMs) throw new Error(`${row?.due} emails weren't tried.`);
    await wait(100);
  }
};

const awaySeconds = 3600;

/** The mail server is away for an hour, and all emails arrive once. */
export const drillMail = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("mail");
  await using cluster = await startCluster();
  const { settings: shared, cookie } = await install(cluster, signal);
  const port = await freePort();
  const settings = { ...shared, SMTP_URL: `smtp://127.0.0.1:${port}` };
  await using server = await startProduct(settings, signal);
  await using _first = startWorker(settings);
  await using _second = startWorker(settings);
  const post = async (path: string, body: object) => {
    const response = await fetch(`${server.origin}/api${path}`, {
      method: "POST",
      headers: changeHeaders(cookie),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  const addresses = (count: number, kind: string) =>
    Array.from({ length: count }, (_, place) => `${kind}-${place}@example.com`);
  const [invited, forgetful] = [addresses(5, "invited"), addresses(5, "forgetful")];
  await cluster.query(
    `insert into users (email, name, role, status)
     select 'forgetful-' || n || '@example.com', 'Forgetful', 'viewer', 'active' from generate_series(0, 4) n`,
    "purser",
  );
  for (const email of invited) await post("/team", { email, name: "Invited", role: "viewer" });
  for (const email of forgetful) await post("/password/forgot", { email });
  let passed = 0;
  let rounds = 0;
  while (passed < awaySeconds) {
    await untilTried(cluster);
    passed += await passTime(cluster);
    rounds += 1;
    if (rounds > 100) throw new Error("The hour doesn't pass.");
  }
  await untilTried(cluster);
  const away = await attemptsOf(cluster);
  say(
    `${away.waiting} emails wait after ${Math.round(passed / 60)} minutes and ${away.most + 1} attempts each`,
  );
  expect("no email is given up", away.failed === 0 && away.waiting === 10);
  await using mail = await startMailServer(port);
  await passTime(cluster);
  await untilTried(cluster);
  // A second attempt of an email that was sent would come with the next round.
  await passTime(cluster);
  await untilTried(cluster);
  const wanted = [...invited, ...forgetful];
  const missing = wanted.filter((address) => !mail.taken.includes(address));
  const twice = wanted.filter(
    (address) => mail.taken.filter((taken) => taken === address).length > 1,
  );
  expect(`${missing.length} of ${wanted.length} emails lost`, missing.length === 0);
  expect(`${twice.length} emails sent twice`, twice.length === 0);
  expect(`${mail.taken.length} emails arrived`, mail.taken.length === wanted.length);
  expect("no job is left", (await attemptsOf(cluster)).done === wanted.length);
  end();
};
