import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { forgotPassword, getLink } from "@purser/contract/auth/passwords";
import { problem } from "@purser/contract/http/problem";
import { expect, onTestFinished, test } from "vitest";
import {
  addPerson,
  allMailed,
  attemptSignIn,
  movableClock,
  newAddress,
  openMailSink,
} from "#platform/auth/testing.ts";
import { isNightly } from "../runs.testing.ts";
import { testProduct } from "../testing.ts";

const clock = movableClock();
const sink = await openMailSink();
const product = await testProduct({
  clock,
  environment: { LOG_LEVEL: "info", SMTP_URL: sink.url },
});
const { app, call, lines } = product;
await product.product.work();
const address = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));

const forwarded = (n: number) => ({
  "x-forwarded-for": `203.0.113.${n}`,
  "x-real-ip": `203.0.113.${n}`,
  forwarded: `for=203.0.113.${n};host=evil.example;proto=http`,
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "http",
  "cf-connecting-ip": `203.0.113.${n}`,
  "true-client-ip": `203.0.113.${n}`,
});

const guess = (of: typeof product, remote: string, headers: Record<string, string>) =>
  of.call(null, getLink, { body: { token: "x".repeat(43) }, address: remote, headers });

test("T25 a client can't get around the limits with forwarded headers", async () => {
  const remote = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 130 }, (_, n) => guess(product, remote, forwarded(n))),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
});

test("T25 behind a trusted proxy only the address that the proxy saw counts", async () => {
  const behind = await testProduct({ clock, environment: { TRUSTED_PROXIES: "10.9.0.0/16" } });
  const via = (chain: string) => guess(behind, "10.9.0.1", { "x-forwarded-for": chain });
  const spoofed = await Promise.all(
    Array.from({ length: 130 }, (_, n) => via(`203.0.113.${n}, 10.9.0.7, 198.51.100.9`)),
  );
  expect(spoofed.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await via("198.51.100.10")).status).toBe(410);
  const direct = await guess(behind, "198.51.100.9", { "x-forwarded-for": "198.51.100.77" });
  expect(direct.status).toBe(429);
});

test("T25 links and cookies don't depend on forwarded headers or the host", async () => {
  const { email } = await addPerson(product);
  const headers = { ...forwarded(1), host: "evil.example" };
  await call(null, forgotPassword, { body: { email }, address: newAddress(), headers });
  await allMailed(product);
  const mail = sink.mails.find(({ to }) => to === email);
  expect(mail?.text).toContain("http://localhost:3000/login#set-password=");
  expect(mail?.text).not.toContain("evil");
  const plain = await attemptSignIn(product, { email });
  const spoofed = await app.inject({
    method: "POST",
    url: "/api/session",
    headers: { ...headers, origin: "http://localhost:3000" },
    remoteAddress: newAddress(),
    payload: { email, password: "violet anchor picnic 47" },
  });
  const kindOf = ({ cookies }: { cookies: readonly object[] }) =>
    cookies.map((cookie) => ({ ...cookie, value: "", expires: null }));
  expect(spoofed.statusCode).toBe(200);
  expect(kindOf(spoofed)).toEqual(kindOf(plain));
  expect(kindOf(spoofed)[0]).toMatchObject({ secure: true, httpOnly: true });
});

const open = async () => {
  const socket = connect(Number(address.port), "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
};

/** Everything that the server answers until it closes the connection. */
const answerTo = async (raw: string) => {
  const socket = await open();
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  socket.end(raw, "latin1");
  if (!socket.closed) await once(socket, "close");
  return answer;
};

const smuggled = "GET /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
const post = (headers: string, body: string) =>
  `POST /api/session HTTP/1.1\r\nHost: x\r\nOrigin: http://localhost:3000\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const chunked = `0\r\n\r\n${smuggled}`;

test.each([
  [
    "Content-Length and Transfer-Encoding",
    post("Content-Length: 5\r\nTransfer-Encoding: chunked", chunked),
  ],
  [
    "Transfer-Encoding and Content-Length",
    post("Transfer-Encoding: chunked\r\nContent-Length: 5", chunked),
  ],
  ["two lengths", post(`Content-Length: 0\r\nContent-Length: ${smuggled.length}`, smuggled)],
  ["a list of lengths", post(`Content-Length: 0, ${smuggled.length}`, smuggled)],
  ["a signed length", post(`Content-Length: +${smuggled.length}`, smuggled)],
  ["a negative length", post("Content-Length: -1", smuggled)],
  ["a hexadecimal length", post("Content-Length: 0x10", smuggled)],
  ["an unknown encoding", post("Transfer-Encoding: xchunked", chunked)],
  ["chunked before another encoding", post("Transfer-Encoding: chunked, identity", chunked)],
  ["two encodings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: cow", chunked)],
  ["a space before the colon", post("Transfer-Encoding : chunked", chunked)],
  ["a tab before the colon", post("Transfer-Encoding\t: chunked", chunked)],
  ["a folded header", post("X: y\r\n Transfer-Encoding: chunked", chunked)],
  ["a header with NUL", post("X: a\0b\r\nTransfer-Encoding: chunked", chunked)],
  ["a carriage return in a header", post("X: a\rTransfer-Encoding: chunked", chunked)],
  [
    "line feeds only",
    post("X: a\nTransfer-Encoding: chunked", chunked).replace("HTTP/1.1\r\n", "HTTP/1.1\n"),
  ],
  ["a bad chunk size", post("Transfer-Encoding: chunked", `-1\r\n${smuggled}`)],
  ["a chunk size with a suffix", post("Transfer-Encoding: chunked", `0x0\r\n\r\n${smuggled}`)],
  [
    "a chunk that is longer than its size",
    post("Transfer-Encoding: chunked", `1\r\nab\r\n${chunked}`),
  ],
  ["no host", "GET /api/smuggled HTTP/1.1\r\n\r\n"],
  ["an unknown version", "GET /api/smuggled HTTP/9.9\r\nHost: x\r\n\r\n"],
  ["an unknown method", "SMUGGLE /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n"],
])("T27 closes the connection of a request with %s", async (_what, raw) => {
  const from = lines.length;
  const answer = await answerTo(raw);
  expect(answer).toMatch(/^(HTTP\/1\.1 [45]\d\d |$)/);
  expect(answer.match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThanOrEqual(1);
  const routes = lines.slice(from).map((line) => JSON.parse(line).detail ?? "");
  expect(routes.join()).not.toContain("smuggled");
});

test.each([
  ["an unreadable request", 400, "SMUGGLE /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["too many headers", 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`],
])("T27 answers %s with a problem and the security headers", async (_what, status, raw) => {
  const answer = await answerTo(raw);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const { headers } = await app.inject({ url: "/healthz" });
  const security = Object.entries(headers).filter(([name]) =>
    /^(content-security|strict-|x-content|referrer|cross-|permissions|cache-)/.test(name),
  );
  expect(security.length).toBeGreaterThanOrEqual(8);
  for (const [name, value] of security) expect(head).toContain(`${name}: ${value}`);
  expect(head).toContain("content-type: application/problem+json");
  expect(problem.safeParse(JSON.parse(body)).success).toBe(true);
  expect(JSON.parse(body)).toMatchObject({ type: "urn:purser:problem:malformed", status });
});

test("T27 headers and bodies have to arrive in time", () => {
  const { headersTimeout, requestTimeout } = app.server;
  expect([headersTimeout, requestTimeout]).toEqual([15_000, 30_000]);
});

test("T27 a connection is closed after 1,000 requests", async () => {
  const answer = await answerTo("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1001));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(1000);
  expect(answer.match(/connection: close/gi)?.length).toBeGreaterThan(0);
});

/** Milliseconds of each of these requests, on connections of their own. */
const timed = async (count: number) => {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAt = performance.now();
    const asked = request(new URL("/healthz", address), { agent: false }).end();
    const [response] = await once(asked, "response");
    response.resume();
    await once(response, "end");
    expect(response.statusCode).toBe(200);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b);
};

test("T27 300 slow connections don't keep others from being served", async () => {
  const alone = await timed(100);
  const slow: Socket[] = await Promise.all(Array.from({ length: 300 }, open));
  for (const [n, socket] of slow.entries())
    socket.write(
      n % 2 ? "POST /api/session HTTP/1.1\r\nHost: x\r\nX-" : post("Content-Length: 99", "{"),
    );
  const among = await timed(100);
  const p95 = (times: number[]) => times[94] ?? 0;
  // Times are compared only at night, when the machine has nothing else to do.
  if (isNightly) expect(p95(among)).toBeLessThan(2 * p95(alone) + 5);
});
