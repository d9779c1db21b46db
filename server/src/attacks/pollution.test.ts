import { endpoints } from "@purser/contract/endpoints";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../runs.testing.ts";
import { testProduct } from "../testing.ts";

const { app, signIn, startSession } = await testProduct();
const owner = await signIn("owner");

const prototypes = [Object, Array, String, Number, Boolean, Function, Map, Promise, Error, Date];
const snapshot = () =>
  prototypes.map((one) => Reflect.ownKeys(one.prototype).map(String).toSorted().join());

const hostileKeys = ["__proto__", "constructor", "prototype", "toString", "polluted", "then"];
const { hostile } = fc.letrec((tie) => ({
  hostile: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(true, "polluted", 1, null),
    fc.array(fc.tuple(fc.constantFrom(...hostileKeys), tie("hostile")), { maxLength: 3 }).map(
      // Defined as own keys, as a parser does.
      (pairs) => `{${[...new Map(pairs)].map(([key, value]) => `"${key}":${value}`).join()}}`,
    ),
  ),
}));
const bodies = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"x":{"__proto__":{"polluted":1}}}',
  '{"\\u005f_proto__":{"polluted":1}}',
  '[{"__proto__":{"polluted":1}}]',
  '{"name":{"constructor":{"prototype":{"polluted":1}}}}',
];
const queries = [
  "__proto__[polluted]=1",
  "__proto__.polluted=1",
  "constructor[prototype][polluted]=1",
  "f=__proto__:is:polluted&sort=__proto__&columns=__proto__,constructor",
  "f=constructor:any:prototype&sort=-constructor",
];

type Sent = { method: "GET" | "POST" | "PUT" | "DELETE"; path: string; payload?: string };

const send = (cookie: string, { method, path, payload }: Sent) =>
  app.inject({
    method,
    url: `/api${path.replace(/:\w+/g, "__proto__")}`,
    headers: {
      origin: "http://localhost:3000",
      cookie,
      "if-match": '"1"',
      "idempotency-key": crypto.randomUUID(),
      ...(payload !== undefined && { "content-type": "application/json" }),
    },
    ...(payload !== undefined && { payload }),
  });

// The stream of events never ends.
const callable = Object.values(endpoints).filter((one) => !("stream" in one));
const before = snapshot();

test("T21 no request of any endpoint changes a prototype", async () => {
  const generated = fc.sample(hostile, sized({ gate: 3, nightly: 200 })).map(String);
  const failed: unknown[] = [];
  let refused = 0;
  for (const { method, path } of callable) {
    // A new one each time, because some endpoints end sessions.
    const cookie = await startSession(owner.id);
    const requests: Sent[] =
      method === "GET"
        ? queries.map((query) => ({ method, path: `${path}?${query}` }))
        : [...bodies, ...generated].map((payload) => ({ method, path, payload }));
    for (const { statusCode, body } of await Promise.all(
      requests.map((one) => send(cookie, one)),
    )) {
      if (statusCode >= 500) failed.push([method, path, statusCode, body]);
      if (statusCode === 400) refused += 1;
    }
    expect(snapshot()).toEqual(before);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  }
  expect(failed).toEqual([]);
  expect(refused).toBeGreaterThan(3 * callable.length);
});
