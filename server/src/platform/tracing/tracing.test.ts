import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { listApps } from "@purser/contract/apps/endpoints";
import { startVerification } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { atEnd, testProduct } from "../../testing.ts";
import { startTracing } from "./startTracing.ts";

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Sent = { name: string; traceId: string; parentSpanId?: string; attributes: Attribute[] };
type Body = { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] };

/** A collector that keeps the spans it gets. */
const startCollector = async () => {
  const spans: Sent[] = [];
  const read = async (request: IncomingMessage) => {
    const body: Body = JSON.parse(await text(request));
    spans.push(
      ...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
  };
  const server = createServer((request, response) => {
    void read(request).then(() => response.writeHead(200).end("{}"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, spans };
};

const attributeOf = ({ attributes }: Sent, key: string) =>
  attributes.find((one) => one.key === key)?.value;

test("a request, its statements and its job are one trace, which the page began, without values", async () => {
  const { url, spans } = await startCollector();
  const settings = { TRACES_URL: url, TRACES_PERCENT: "100" };
  const config = { TRACES_URL: url, TRACES_PERCENT: 100 } as Parameters<typeof startTracing>[0];
  const traces = await startTracing(config, "purser test");
  const { call, signIn, owner } = await testProduct({ environment: settings });
  const admin = await signIn("admin");
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  expect((await call(admin, listApps, { query: { q: "secret-word" }, headers })).status).toBe(200);
  expect((await call(admin, startVerification, { body: {}, headers })).status).toBe(202);
  const { rows } = await owner.query(
    "select data ->> 'traceparent' as parent from pgboss.job where name = 'verify-audit'",
  );
  expect(rows[0].parent).toContain(traceId);
  await traces.stop();

  const mine = spans.filter((span) => span.traceId === traceId);
  const request = mine.find(({ name }) => name === "GET /api/apps");
  expect(request).toMatchObject({ parentSpanId: "b7ad6b7169203331" });
  expect(attributeOf(request as Sent, "http.response.status_code")).toEqual({ intValue: 200 });
  const statements = mine.filter((span) => attributeOf(span, "db.query.text"));
  expect(statements.length).toBeGreaterThan(2);
  expect(JSON.stringify(spans)).not.toContain("secret-word");
  expect(JSON.stringify(spans)).not.toContain(admin.email);
});

test("without a collector nothing is added to jobs", async () => {
  const { call, signIn, owner } = await testProduct();
  const admin = await signIn("admin");
  const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
  await call(admin, startVerification, { body: {}, headers });
  const { rows } = await owner.query("select data from pgboss.job where name = 'verify-audit'");
  expect(rows).toEqual([{ data: { isWhole: true } }]);
});
