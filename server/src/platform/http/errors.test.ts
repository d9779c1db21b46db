import { readFileSync } from "node:fs";
import { createApp, getApp, listApps } from "@purser/contract/apps/endpoints";
import { forgotPassword } from "@purser/contract/auth/passwords";
import { problems } from "@purser/contract/http/problem";
import { createUser } from "@purser/contract/users/endpoints";
import { expect, test, vi } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { testProduct } from "../../testing.ts";
import { message } from "../messages.ts";
import { Problem } from "./problem.ts";

const { app, call, signIn, lines, owner } = await testProduct({
  environment: { LOG_LEVEL: "info" },
});
const admin = await signIn("admin");
const origin = "http://localhost:3000";

const isProblem = (response: { headers: Record<string, unknown>; body: string }, code: string) => {
  const body = JSON.parse(response.body);
  expect(response.headers["content-type"]).toContain("application/problem+json");
  expect(body.type).toBe(`urn:purser:problem:${code}`);
  expect(body.detail).toMatch(/^[A-Z"].*\.$/);
  expect(body.requestId).toBe(response.headers["x-request-id"]);
  return body;
};

test("answers 404 for an unknown URL", async () => {
  const response = await app.inject("/api/nope");
  expect(response.statusCode).toBe(404);
  isProblem(response, "not_found");
});

test("answers 405 with the allowed methods", async () => {
  const response = await app.inject({ method: "PATCH", url: "/api/apps" });
  expect(response.statusCode).toBe(405);
  expect(response.headers.allow).toBe("GET, HEAD, POST");
  isProblem(response, "method_not_allowed");
});

test("answers 413 for a body that is too large", async () => {
  const response = await app.inject({
    method: "POST",
    url: "/api/session",
    headers: { origin, "content-type": "application/json" },
    payload: JSON.stringify({ email: "a".repeat(70_000) }),
  });
  expect(response.statusCode).toBe(413);
  isProblem(response, "too_large");
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/xml",
])("answers 415 for a body of type %s", async (type) => {
  const response = await app.inject({
    method: "POST",
    url: "/api/session",
    headers: { origin, "content-type": type },
    payload: '{"email":"a@example.com","password":"x"}',
  });
  expect(response.statusCode).toBe(415);
  isProblem(response, "unsupported_media_type");
});

test.each([
  ["no JSON", "{"],
  ["nothing", ""],
  ["a poisoned prototype", '{"__proto__":{"admin":true}}'],
  ["a poisoned constructor", '{"constructor":{"prototype":{"admin":true}}}'],
  ["30,000 levels", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
])("T21 T22 answers 400 for a body of %s", async (_what, payload) => {
  const response = await app.inject({
    method: "POST",
    url: "/api/session",
    headers: { origin, "content-type": "application/json" },
    payload,
  });
  expect(response.statusCode).toBe(400);
});

test("answers 400 for a malformed URL", async () => {
  const response = await app.inject({ url: "/api/apps/%E4", headers: { cookie: admin.cookie } });
  expect(response.statusCode).toBe(400);
  isProblem(response, "malformed");
});

test("names each invalid field by its JSON pointer", async () => {
  const answer = await call(admin, createApp, {
    body: { code: "Bad Code", name: "", platforms: ["web", "fridge"], surprise: 1 } as never,
  });
  expect(answer.status).toBe(400);
  expect(answer.body["errors"]).toMatchObject([
    { in: "body", pointer: "/name", message: "This field is required." },
    { in: "body", pointer: "/code" },
    { in: "body", pointer: "/platforms/1" },
    { in: "body", pointer: "/surprise", message: "This field isn't supported. Remove it." },
  ]);
});

test("answers 409 at the field for a taken code", async () => {
  await call(admin, createApp, { body: { code: "taken", name: "A" } });
  const answer = await call(admin, createApp, { body: { code: "taken", name: "B" } });
  expect(answer.status).toBe(409);
  expect(answer.body["errors"]).toMatchObject([
    { in: "body", pointer: "/code", code: "value_taken" },
  ]);
});

test("answers 429 with the wait for too many anonymous requests from one address", async () => {
  const ask = (_: unknown, n: number) =>
    call(null, forgotPassword, {
      body: { email: `nobody${n}@example.com` },
      address: "198.51.100.1",
    });
  const answers = await Promise.all(Array.from({ length: 125 }, ask));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(5);
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused[0]?.body["type"]).toBe("urn:purser:problem:too_many_requests");
  const elsewhere = await call(null, forgotPassword, {
    body: { email: "nobody@example.com" },
    address: "198.51.100.2",
  });
  expect(elsewhere.status).toBe(202);
});

test("answers 500 with only the request id, which is in the log", async () => {
  await owner.query("alter table apps rename column icon to lost");
  const answer = await call(admin, getApp, { params: { id: admin.id } });
  await owner.query("alter table apps rename column lost to icon");
  expect(answer.status).toBe(500);
  expect(answer.text).not.toMatch(/icon|column|select/i);
  const id = answer.headers["x-request-id"];
  const logged = lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === id);
  expect(logged.find(({ level }) => level === 50)?.err.message).toContain("icon");
  expect(logged.filter(({ msg }) => msg === "request")).toHaveLength(1);
});

test("logs a request as one line of JSON without secrets", async () => {
  const before = lines.length;
  await app.inject({
    method: "POST",
    url: "/api/session?x=%0a%7b%22level%22:60%7d",
    headers: { origin, "user-agent": "evil\u001b[31m", cookie: "__Host-purser=canary-cookie" },
    payload: { email: "canary@example.com", password: "canary-password" },
  });
  const written = lines.slice(before);
  expect(written.filter((line) => JSON.parse(line).msg === "request")).toHaveLength(1);
  expect(written.join("")).not.toMatch(/canary/);
});

/** The log line of the request that got this answer. */
const lineOf = ({ headers }: { headers: Record<string, unknown> }) =>
  lines
    .map((line) => JSON.parse(line))
    .find(({ msg, reqId }) => msg === "request" && reqId === headers["x-request-id"]);

test("logs the code and detail of a 409", async () => {
  const body = { code: "twice", name: "Twice" };
  const first = await call(admin, createApp, { body });
  const answer = await call(admin, createApp, { body });
  expect(answer.status).toBe(409);
  expect(lineOf(answer)).toMatchObject({
    status: 409,
    route: "/api/apps",
    problem: "taken",
    detail: answer.body["detail"],
    user: admin.id,
  });
  expect(lineOf(first)).toMatchObject({ status: 201 });
  expect(Object.keys(lineOf(first))).not.toEqual(expect.arrayContaining(["problem"]));
});

test("logs the field of a 400, and never the value of a secret", async () => {
  const secret = "canary-secret-\u0000";
  const answer = await app.inject({
    method: "POST",
    url: "/api/session",
    headers: { origin },
    payload: { email: "not-an-address-canary", password: secret.repeat(400) },
  });
  expect(answer.statusCode).toBe(400);
  expect(lineOf(answer)).toMatchObject({ status: 400, problem: "invalid" });
  expect(lineOf(answer).detail).toBe("Some values are invalid. Check email and password.");
  expect(JSON.stringify(lineOf(answer))).not.toMatch(/canary/);
});

test("logs refusals without names and email addresses", async () => {
  const email = "canary.person@example.com";
  const body = { name: "Canary Person", email };
  expect((await call(admin, createUser, { body })).status).toBe(201);
  const answer = await call(admin, createUser, { body });
  expect(answer.body["detail"]).toContain("Canary Person");
  expect(lineOf(answer)).toMatchObject({ status: 409, problem: "taken" });
  expect(lineOf(answer).detail).toContain("[redacted]");
  expect(JSON.stringify(lineOf(answer))).not.toMatch(/canary/i);
  const unknown = message("customer_email_unknown", "No customer has the email address {email}.", {
    email,
  });
  expect(new Problem("invalid", unknown).loggedDetail).toBe(
    "No customer has the email address [redacted].",
  );
});

test("ignores undeclared input, such as a reason with a NUL", async () => {
  const person = await signIn("viewer");
  const response = await app.inject({
    method: "DELETE",
    url: "/api/session",
    headers: { origin, cookie: person.cookie, "content-type": "application/json" },
    payload: '{"reason":"a\\u0000b"}',
  });
  expect(response.statusCode).toBe(204);
});

test("every problem is explained in docs/problems.md", () => {
  const docs = readFileSync(new URL("../../../../docs/problems.md", import.meta.url), "utf8");
  const explained = [...docs.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(explained).toEqual(Object.entries(problems).map(([code, [status]]) => [code, status]));
});

test("a database that is read-only refuses changes with 503, and lists still answer", async () => {
  const other = await testProduct();
  const { call, owner } = other;
  const admin = await other.signIn("admin");
  const name = new URL(other.database.url).pathname.slice(1);
  await owner.query(`alter database ${name} set default_transaction_read_only = on`);
  // Only new connections follow the setting.
  await owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [name],
  );
  const body = { code: "read-only", name: "Read only" };
  const refused = await vi.waitFor(async () => {
    const answer = await call(admin, createApp, { body });
    expect(answer.body["reason"]).toBe("database_read_only");
    return answer;
  }, patiently(10_000));
  expect(refused.status).toBe(503);
  expect(refused.headers["retry-after"]).toBe("10");
  expect((await call(admin, listApps)).status).toBe(200);
});
