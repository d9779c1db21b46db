import { forgotPassword, getLink } from "@purser/contract/auth/passwords";
import { reportIncident } from "@purser/contract/pages/incidents";
import { expect, test } from "vitest";
import { movableClock, newAddress } from "#platform/auth/testing.ts";
import { testProduct } from "../testing.ts";

const clock = movableClock();
const product = await testProduct({ clock, environment: { LOG_LEVEL: "info" } });
const { call, lines } = product;

const statuses = async (count: number, ask: (n: number) => Promise<{ status: number }>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
  return answers.map(({ status }) => status);
};
const refusedOf = (all: number[]) => all.filter((status) => status === 429).length;

const token = "x".repeat(43);
const routes = {
  "password reset": (of: typeof product, n: number, address: string) =>
    of.call(null, forgotPassword, { body: { email: `p${n}@example.com` }, address }),
  "links of emails": (of: typeof product, _n: number, address: string) =>
    of.call(null, getLink, { body: { token }, address }),
};

test.each(Object.entries(routes))(
  "D13 anonymous requests are limited without Redis: %s",
  async (_name, ask) => {
    const alone = await testProduct({ clock, environment: { REDIS_URL: "redis://127.0.0.1:1/0" } });
    const address = newAddress();
    const counted = await statuses(130, (n) => ask(alone, n, address));
    expect(refusedOf(counted)).toBeGreaterThanOrEqual(10);
    expect((await ask(alone, 0, address)).status).toBe(429);
    expect((await ask(alone, 0, newAddress())).status).not.toBe(429);
  },
);

test("D13 the limit of anonymous requests ends with its minute", async () => {
  const address = newAddress();
  const ask = (n: number) => routes["links of emails"](product, n, address);
  expect(refusedOf(await statuses(121, ask))).toBe(1);
  clock.forward(60);
  expect((await ask(0)).status).toBe(410);
});

const incident = (address: string, message = "x is not a function") =>
  call(null, reportIncident, {
    body: { id: crypto.randomUUID(), kind: "error", message, stack: "", path: "/apps", build: "" },
    address,
  });
const logged = (from: number) => lines.slice(from).map((line) => JSON.parse(line));

test("D13 a network can report 20 incidents a minute", async () => {
  clock.forward(60);
  const address = newAddress();
  const from = lines.length;
  expect(refusedOf(await statuses(50, () => incident(address)))).toBe(30);
  expect(logged(from).filter(({ msg }) => msg === "page failed")).toHaveLength(20);
});

test("D13 many networks can't flood the log with incidents, and a summary says how many there were", async () => {
  clock.forward(60);
  const from = lines.length;
  const before = product.platform.counts.incidents.error;
  expect(new Set(await statuses(300, () => incident(newAddress())))).toEqual(new Set([204]));
  expect(logged(from).filter(({ msg }) => msg === "page failed")).toHaveLength(100);
  expect(product.platform.counts.incidents.error - before).toBe(300);
  clock.forward(60);
  await incident(newAddress());
  const summaries = logged(from).filter(({ msg }) => msg === "page incidents not logged");
  expect(summaries.map(({ incidents }) => incidents)).toEqual([200]);
});

test("D13 the summary of incidents is written at the latest when the server stops", async () => {
  const other = await testProduct({ clock, environment: { LOG_LEVEL: "info" } });
  await statuses(101, () =>
    other.call(null, reportIncident, {
      body: {
        id: crypto.randomUUID(),
        kind: "error",
        message: "x",
        stack: "",
        path: "/",
        build: "",
      },
      address: newAddress(),
    }),
  );
  await other.app.close();
  expect(other.lines.join("")).toContain('"incidents":1');
});
