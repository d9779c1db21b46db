import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import {
  addPerson,
  addUsers,
  attemptSignIn,
  cookieOf,
  enter,
  minute,
  movableClock,
} from "../testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });

const wrong = (email: string, more: { cookie?: string; address?: string } = {}) =>
  attemptSignIn(product, { email, password: `wrong ${randomUUID()}`, ...more });

/** Only the cookie of a known device, without a session. */
const deviceCookieOf = async (email: string) => {
  const { entered } = await enter(product, email);
  return cookieOf({ cookies: entered.cookies.filter(({ name }) => name.endsWith("-device")) });
};

test("T16 checks at most 40 of 1,000 wrong passwords from 1,000 addresses, and the user can still sign in", async ({
  annotate,
}) => {
  const { email } = await addPerson(product);
  const cookie = await deviceCookieOf(email);
  const statuses: number[] = [];
  for (let wave = 0; wave < 100; wave += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => wrong(email)));
    statuses.push(...answers.map(({ status }) => status));
    if (wave === 50) expect((await attemptSignIn(product, { email, cookie })).status).toBe(200);
  }
  const checked = statuses.filter((status) => status === 401).length;
  await annotate(`${checked} of ${statuses.length} were checked`);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1000 - checked);
  expect(checked).toBeLessThanOrEqual(40);
  expect((await attemptSignIn(product, { email })).status, "even the right one must wait").toBe(
    429,
  );
  expect((await attemptSignIn(product, { email, cookie })).status).toBe(200);
  expect(
    (await wrong(email)).status,
    "the owner's entry must not clear the count of the stranger",
  ).toBe(429);
});

test("T16 checks five of 20 wrong passwords at the same time", async () => {
  const { email } = await addPerson(product);
  const answers = await Promise.all(Array.from({ length: 20 }, () => wrong(email)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
});

test("T16 doubles the wait with each further wrong password, up to 15 minutes", async () => {
  const { email } = await addPerson(product);
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await wrong(email)).status).toBe(401);
  for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
    const refused = await attemptSignIn(product, { email });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, String(seconds)]);
    expect(refused.body["retryAfterSeconds"]).toBe(seconds);
    clock.forward(seconds - 1);
    expect((await attemptSignIn(product, { email })).headers["retry-after"]).toBe("1");
    clock.forward(1);
    expect((await wrong(email)).status).toBe(401);
  }
  clock.forward(15 * minute);
  expect((await attemptSignIn(product, { email })).status).toBe(200);
  expect((await wrong(email)).status, "a correct password resets the count").toBe(401);
  expect((await attemptSignIn(product, { email })).status).toBe(200);
});

test("T16 limits attempts from a stolen device, which gives no advantage for other accounts", async () => {
  const { email } = await addPerson(product);
  const other = await addPerson(product);
  const cookie = await deviceCookieOf(email);
  const statuses = [];
  for (let attempt = 0; attempt < 6; attempt += 1)
    statuses.push((await wrong(email, { cookie })).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  for (let attempt = 0; attempt < 5; attempt += 1) await wrong(other.email);
  expect((await attemptSignIn(product, { email: other.email, cookie })).status).toBe(429);
});

/** Wrong attempts from one address, each for another account, and their status codes. */
const failFrom = async (address: string, count: number) => {
  const people = await addUsers(product, count);
  const answers = await Promise.all(people.map(({ email }) => wrong(email, { address })));
  return answers.map(({ status }) => status);
};

test("T16 makes an address that fails for many accounts wait, with its IPv6 network", async () => {
  const { email } = await addPerson(product);
  const statuses = await failFrom("2001:db8:7:7::1", 70);
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  const from = async (address: string) => (await attemptSignIn(product, { email, address })).status;
  expect(await from("2001:db8:7:7::1")).toBe(429);
  expect(await from("2001:db8:7:7:8::9")).toBe(429);
  expect(await from("2001:db8:7:8::1")).toBe(200);
  clock.forward(30);
  expect(await from("2001:db8:7:7::1")).toBe(200);
});

test("T16 counts IPv4 addresses separately when the server listens on IPv6", async () => {
  const { email } = await addPerson(product);
  await failFrom("::ffff:192.0.2.1", 61);
  expect((await attemptSignIn(product, { email, address: "::ffff:192.0.2.1" })).status).toBe(429);
  expect((await attemptSignIn(product, { email, address: "::ffff:192.0.2.2" })).status).toBe(200);
});

test("T16 does not make an address wait for a correct password", async () => {
  const { email } = await addPerson(product);
  const address = "192.0.2.77";
  await failFrom(address, 59);
  expect((await attemptSignIn(product, { email, address })).status).toBe(200);
  expect((await attemptSignIn(product, { email, address })).status).toBe(200);
});
