import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookEndpoint, webhookTypes } from "@purser/contract/workspace/webhooks";
import { expect } from "vitest";
import { atEnd, type TestProduct, testProduct } from "../../../testing.ts";
import { catalogIn } from "../../packages/testing/testing.ts";

type Arrived = {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
};

type Answer = (arrived: Arrived) => number | Promise<number>;

/** An HTTP server that receives events. Its answer can be changed at any time. */
export const startReceiver = async () => {
  const arrived: Arrived[] = [];
  const state: { answer: Answer } = { answer: () => 204 };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const headers = request.headers as Record<string, string>;
    const one = { path: request.url ?? "", headers, body, at: Date.now() };
    arrived.push(one);
    const status = await state.answer(one);
    response.writeHead(status, { location: "/elsewhere" }).end(status === 204 ? "" : "An answer.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    arrived,
    port,
    url: `http://127.0.0.1:${port}/hooks`,
    onArrival: (answer: Answer) => {
      state.answer = answer;
    },
  };
};

/** The product, allowed to send to a local receiver. */
export const productFor = (receiver: { port: number }) =>
  testProduct({
    environment: {
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      WEBHOOK_ALLOWED_PORTS: `443,${receiver.port}`,
    },
  });

/** Endpoints, customers, and changes that cause events. */
export const hooksIn = async (product: TestProduct) => {
  const { call, owner, signIn } = product;
  const admin = await signIn("admin");

  const newEndpoint = async (
    url: string,
    types: (typeof webhookTypes)[number][] = [...webhookTypes],
  ) => {
    const made = await call(admin, createWebhookEndpoint, { body: { url, types } });
    expect(made.status, made.text).toBe(201);
    return made.body;
  };

  const newCustomer = async () => {
    const { rows } = await owner.query<{ id: string }>(
      "insert into users (email, name, status) values ($1, 'Ada', 'active') returning id",
      [`${randomUUID()}@example.com`],
    );
    return rows[0]?.id ?? "";
  };

  const catalog = catalogIn(product, admin);
  const seats = await catalog.newLimit((await catalog.newApp()).id);

  /** One change of the customer's entitlements. */
  const grantTo = async (userId: string, db: Pick<typeof owner, "query"> = owner) => {
    const { rows } = await db.query<{ id: string }>(
      `insert into grants (user_id, feature_id, value, source, source_id, starts_at)
       values ($1, $2, '3', 'import', 'test', now()) returning id`,
      [userId, seats.id],
    );
    return rows[0]?.id ?? "";
  };

  return { admin, newEndpoint, newCustomer, grantTo };
};
