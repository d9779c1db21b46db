import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import type { RunningServer } from "../setup/processes.ts";

const serversCount = 2;
export const ordersPerSecond = 500;
const price = 1200;
const off = 120;

export type Shop = {
  servers: RunningServer[];
  cookie: string;
  packageId: string;
  signal: AbortSignal;
};

const headersOf = (cookie: string) => ({
  cookie,
  origin: "http://localhost:3000",
  "content-type": "application/json",
});

/** Publishes a promotion with 10 % off and this redemption limit. */
export const publishCode = async (
  { servers: [server], cookie, packageId }: Shop,
  { code, redemptionLimit }: { code: string; redemptionLimit: number },
) => {
  const post = async (path: string, body: object, version?: number) => {
    const response = await fetch(`${server?.origin}/api${path}`, {
      method: "POST",
      headers: {
        ...headersOf(cookie),
        "idempotency-key": randomUUID(),
        ...(version && { "if-match": `"${version}"` }),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { id: string; version: number };
  };
  const kind = { kind: "percent", basisPoints: (off * 10_000) / price };
  const details = { name: code, code, redemptionLimit, packageIds: [packageId], ...kind };
  const { id, version } = await post("/promotions", details);
  await post(`/promotions/${id}/publish`, {}, version);
  return id;
};

const bodyOf = (packageId: string, code: string) => {
  const at = new Date(Date.now() - 1000).toISOString();
  return JSON.stringify({
    email: `${randomUUID()}@flash.example`,
    packageId,
    codes: [code],
    occurredAt: at,
    currency: "EUR",
    interval: "month",
    state: "succeeded",
    reference: randomUUID(),
    total: price - off,
  });
};

type BurstOptions = { code: string; seconds: number; connections: number };

/** Orders with the code as fast as the servers answer, each as another customer. */
export const orderAtFullSpeed = async (
  shop: Shop,
  { code, seconds, connections }: BurstOptions,
) => {
  const answers = new Map<number, number>();
  const start = performance.now();
  const sendTo = ({ origin }: RunningServer) =>
    new Promise<void>((resolve, reject) => {
      const run = autocannon(
        {
          url: `${origin}/api/transactions`,
          method: "POST",
          duration: seconds,
          connections: connections / serversCount,
          timeout: 30,
          requests: [
            {
              setupRequest: (request) => ({
                ...request,
                headers: { ...headersOf(shop.cookie), "idempotency-key": randomUUID() },
                body: bodyOf(shop.packageId, code),
              }),
            },
          ],
        },
        (error) => (error ? reject(error) : resolve()),
      );
      run.on("response", (_client, status) => {
        answers.set(status, (answers.get(status) ?? 0) + 1);
      });
    });
  await Promise.all(shop.servers.map(sendTo));
  const elapsed = (performance.now() - start) / 1000;
  return { answers, elapsed, sold: answers.get(201) ?? 0 };
};

/** Orders at a fixed rate, whether or not earlier orders were answered. */
export const orderAtFixedRate = async (
  shop: Shop,
  { code, seconds }: { code: string; seconds: number },
) => {
  const agent = new Agent({ keepAlive: true });
  const answers = new Map<number, number>();
  const order = ({ origin }: RunningServer) =>
    new Promise<void>((resolve) => {
      const count = (status: number) => {
        answers.set(status, (answers.get(status) ?? 0) + 1);
        resolve();
      };
      const headers = { ...headersOf(shop.cookie), "idempotency-key": randomUUID() };
      const sent = request(`${origin}/api/transactions`, { method: "POST", agent, headers });
      sent.on("response", (answer) => {
        answer.resume();
        answer.on("end", () => count(answer.statusCode ?? 0));
      });
      sent.on("error", () => count(0));
      sent.end(bodyOf(shop.packageId, code));
    });
  const orders: Promise<void>[] = [];
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  while (elapsed() < seconds) {
    for (const due = elapsed() * ordersPerSecond * 1.1; orders.length < due; )
      orders.push(order(shop.servers[orders.length % serversCount] as RunningServer));
    await wait(5);
  }
  const perSecond = orders.length / elapsed();
  await Promise.all(orders);
  agent.destroy();
  return { answers, perSecond, sent: orders.length };
};
