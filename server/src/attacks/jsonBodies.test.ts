import { listApps } from "@purser/contract/apps/endpoints";
import fc from "fast-check";
import { expect, test } from "vitest";
import { repeatsKey } from "#platform/http/repeatedKeys.ts";
import { sized } from "../runs.testing.ts";
import { testProduct } from "../testing.ts";

const { app, call, signIn } = await testProduct();
const admin = await signIn("admin");

const send = (payload: string | Buffer, url = "/api/apps") =>
  app.inject({
    method: "POST",
    url,
    headers: {
      origin: "http://localhost:3000",
      "content-type": "application/json",
      cookie: admin.cookie,
      "idempotency-key": crypto.randomUUID(),
    },
    payload,
  });

const created = async () => (await call(admin, listApps, {})).body.items.map(({ code }) => code);

test.each([
  ["twice", '{"code":"twice-1","name":"A","name":"B"}'],
  ["twice with the same value", '{"code":"twice-2","name":"A","name":"A"}'],
  ["twice, once escaped", '{"code":"twice-3","name":"A","n\\u0061me":"B"}'],
  ["twice in an object of a list", '{"code":"twice-4","name":"A","x":[{"y":1,"y":2}]}'],
  ["that is empty twice", '{"code":"twice-5","name":"A","":1,"":2}'],
  ["that is a number twice", '{"code":"twice-6","name":"A","1":1,"1":2}'],
])("D13 refuses a body with a key %s", async (_what, body) => {
  const response = await send(body);
  expect([response.statusCode, response.json().reason]).toEqual([400, "body_key_repeated"]);
  expect(await created()).toEqual([]);
});

test("D13 refuses a body with a byte order mark", async () => {
  const response = await send(`\ufeff{"code":"marked","name":"A"}`);
  expect([response.statusCode, response.json().reason]).toEqual([400, "body_byte_order_mark"]);
  expect(await created()).toEqual([]);
});

test("D13 accepts the same key in several objects, and colons, quotes and backslashes in texts", async () => {
  const description = 'a:"b":\\"c\\\\":\n{"name":"x","name":"y"}';
  const response = await send(JSON.stringify({ code: "fine", name: "A: \\", description }));
  expect([response.statusCode, response.json().description]).toEqual([201, description]);
});

test("D13 finds repeated keys in any JSON, and no others", () => {
  const runs = { numRuns: sized({ gate: 2000, nightly: 100_000 }) };
  const check = (value: unknown, spaces: number) => {
    const text = JSON.stringify(value, null, spaces);
    return !repeatsKey(text, JSON.parse(text));
  };
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(2), check), runs);
  const repeated = (key: string, one: unknown, other: unknown) => {
    const [name, first, last] = [key, one, other].map((part) => JSON.stringify(part));
    const text = `[{"x":{${name}:${first}, "another one" : ":", ${name} : ${last}}}]`;
    return repeatsKey(text, JSON.parse(text));
  };
  const key = fc.string({ unit: "binary" }).filter((name) => name !== "another one");
  fc.assert(fc.property(key, fc.jsonValue(), fc.jsonValue(), repeated), runs);
});

test("D13 searches 2 MB for repeated keys in less than 1 s", () => {
  const texts = [
    JSON.stringify({ source: '\\"'.repeat(500_000) }),
    JSON.stringify({ source: "\\".repeat(1_000_000) }),
    `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]))),
  ];
  for (const text of texts) {
    const value = JSON.parse(text);
    const { user } = process.threadCpuUsage();
    expect(repeatsKey(text, value)).toBe(false);
    expect(process.threadCpuUsage().user - user).toBeLessThan(1_000_000);
  }
});
