import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { openShop } from "./shop.ts";
import type { Kind } from "./traffic.ts";

const now = () => new Date(Date.now() - 1000).toISOString();

/** Requests that the previous release and this one answer alike: lists, records, checks, sign-ins and sales. */
export const salesTraffic = async (
  cluster: Cluster,
  { origin, cookie, counts }: { origin: string; cookie: string; counts: boolean },
): Promise<Record<string, Kind>> => {
  const [sold] = await cluster.query<{ id: string }>(
    "select id from packages where code = 'many-plan'",
    "purser",
  );
  const offer = { packageId: sold?.id, currency: "EUR", interval: "month", codes: [] };
  const headers = { cookie };
  const quoted = await fetch(`${origin}/api/transactions/quote`, {
    method: "POST",
    headers: { ...headers, origin: "http://localhost:3000", "content-type": "application/json" },
    body: JSON.stringify({ ...offer, email: "new@example.com", occurredAt: now() }),
  });
  const { quote } = (await quoted.json()) as { quote: { total: number } };
  const sale = () => ({
    ...offer,
    email: `${randomUUID()}@drill.example`,
    occurredAt: now(),
    state: "succeeded",
    reference: randomUUID(),
    total: quote.total,
  });
  const { signIn, check, consume } = await openShop(cluster);
  const [customer] = await cluster.query<{ id: string }>(
    "select id from users where email = 'many-1@example.com'",
    "purser",
  );
  return {
    sale: { path: "/api/transactions", status: 201, headers, body: sale },
    "sign-in": signIn,
    // The previous release knows no answer for an unknown customer.
    check: { ...check, path: "/api/check?feature=seats&user=many-1@example.com" },
    // 0.5.0 can't count usage.
    ...(counts && { consume }),
    transactions: { path: "/api/transactions", headers },
    users: { path: "/api/users", headers },
    customer: { path: `/api/users/${customer?.id}/entitlements`, headers },
    audit: { path: "/api/audit", headers, pauseMs: 100 },
  };
};

const splitMs = 300_000;

/**
 * Until a worker has divided into lines what servers of the previous release recorded after the backfill. Its job comes
 * every 10 minutes, so this one is added.
 */
export const untilSplit = async (cluster: Cluster) => {
  await cluster.query(
    "insert into pgboss.job (name, data) values ('split-late-transactions', '{}')",
    "purser",
  );
  const limit = performance.now() + splitMs;
  for (;;) {
    const [row] = await cluster.query<{ left: number }>(
      "select count(*)::int as left from transactions where not is_split",
      "purser",
    );
    if (row?.left === 0) return;
    if (performance.now() > limit) throw new Error(`${row?.left} transactions aren't split.`);
    await wait(500);
  }
};
