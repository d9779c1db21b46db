import { changePassword, setPassword } from "@purser/contract/auth/passwords";
import { confirmTotp, removeTotp, startTotp } from "@purser/contract/auth/twoFactor";
import { expect, onTestFinished, test } from "vitest";
import { testProduct } from "#testing.ts";
import { compose } from "../../compose.ts";
import { deleteExpired } from "./deleteExpired.ts";
import { createLink } from "./passwords/passwordLinks.ts";
import {
  addPerson,
  attemptSignIn,
  codeAt,
  enterConfirmed,
  minute,
  movableClock,
  newAddress,
} from "./testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner, platform } = product;

const chosen = "seventeen copper lanterns";

const set = (token: string, password = chosen) =>
  call(null, setPassword, { body: { token, password }, address: newAddress() });

const personWithLink = async () => {
  const person = await addPerson(product);
  const { db, now } = platform;
  const token = await createLink(db, { userId: person.id, purpose: "reset", now: now() });
  return { ...person, token };
};

const personInSetup = async () => {
  const person = await addPerson(product);
  const { cookie } = await enterConfirmed(product, person.email);
  const { secret } = (await call({ cookie }, startTotp, { body: {} })).body;
  return { ...person, cookie, secret, code: codeAt(secret, clock.now()) };
};

const confirm = (cookie: string, code: string) =>
  call({ cookie }, confirmTotp, { body: { code }, address: newAddress() });

test("D11 a link whose reply was lost answers the same request again for 10 minutes", async () => {
  const { email, token } = await personWithLink();
  expect((await set(token)).status).toBe(204);
  clock.forward(10 * minute - 1);
  const again = await set(token);
  expect([again.status, again.text]).toEqual([204, ""]);
  clock.forward(2);
  expect((await set(token)).status).toBe(410);
  expect((await attemptSignIn(product, { email, password: chosen })).status).toBe(200);
});

test("D11 a used link refuses any other password and changes nothing", async () => {
  const { email, token } = await personWithLink();
  expect((await set(token)).status).toBe(204);
  expect((await set(token, `${chosen} too`)).status).toBe(410);
  expect((await attemptSignIn(product, { email, password: chosen })).status).toBe(200);
});

test("D11 a repeated request doesn't set the password again", async () => {
  const { id, email, token } = await personWithLink();
  expect((await set(token)).status).toBe(204);
  const cookie = await product.startSession(id);
  const newer = `${chosen} newer`;
  const changed = await call({ cookie }, changePassword, {
    body: { current: chosen, password: newer },
    address: newAddress(),
  });
  expect([changed.status, (await set(token)).status]).toEqual([204, 204]);
  expect((await attemptSignIn(product, { email, password: newer })).status).toBe(200);
});

test("D11 the same request of a link at the same time gets the same reply", async () => {
  const { token } = await personWithLink();
  const answers = await Promise.all(Array.from({ length: 5 }, () => set(token)));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(204));
});

/** Sets a password on an instance that answers 503 after one second. */
const setHurriedly = async (token: string) => {
  const config = { ...product.config, REQUEST_TIMEOUT_MS: 1000 };
  const hurried = await compose(config, { name: "hurried", works: false, clock });
  const server = await hurried.serve();
  onTestFinished(async () => {
    await server.close();
    await hurried.close();
  });
  return server.inject({
    method: "POST",
    url: `/api${setPassword.path}`,
    headers: { origin: product.config.PUBLIC_URL },
    payload: { token, password: chosen },
  });
};

test("D11 a link can be used again after a 503", async () => {
  const { email, token } = await personWithLink();
  const client = await owner.connect();
  onTestFinished(() => client.release(true));
  await client.query("begin; lock table passwords in exclusive mode");
  expect((await setHurriedly(token)).statusCode).toBe(503);
  await client.query("commit");
  expect((await set(token)).status).toBe(204);
  expect((await attemptSignIn(product, { email, password: chosen })).status).toBe(200);
});

test("D11 recovery codes whose reply was lost are shown again to the same session for 10 minutes", async () => {
  const { id, cookie, code } = await personInSetup();
  const first = await confirm(cookie, code);
  clock.forward(9 * minute);
  const again = await confirm(cookie, code);
  expect([again.status, again.body]).toEqual([200, first.body]);
  const other = await product.startSession(id);
  expect((await confirm(other, code)).status).toBe(409);
  expect((await confirm(cookie, code === "000000" ? "000001" : "000000")).status).toBe(409);
  clock.forward(minute + 1);
  expect((await confirm(cookie, code)).status).not.toBe(200);
});

test("D11 the same code at the same time gets the same recovery codes", async () => {
  const { cookie, code } = await personInSetup();
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(cookie, code)));
  const texts = answers.map(({ status, text }) => `${status} ${text}`);
  expect(texts[0]).toContain("200 ");
  expect(new Set(texts).size).toBe(1);
});

test("D11 recovery codes of a removed authenticator app aren't shown again", async () => {
  const { cookie, code } = await personInSetup();
  expect((await confirm(cookie, code)).status).toBe(200);
  expect((await call({ cookie }, removeTotp, { body: {} })).status).toBe(204);
  expect((await confirm(cookie, code)).status).toBe(409);
  const { secret } = (await call({ cookie }, startTotp, { body: {} })).body;
  clock.forward(minute);
  expect((await confirm(cookie, codeAt(secret, clock.now()))).status).toBe(200);
  expect((await confirm(cookie, code)).status).toBe(409);
});

test("D11 neither passwords nor recovery codes are stored readable, and both are deleted", async () => {
  const { token } = await personWithLink();
  const { cookie, code } = await personInSetup();
  await set(token);
  const { recoveryCodes } = (await confirm(cookie, code)).body;
  const rows = "select * from idempotency_keys where caller = 'one-time'";
  const stored = await owner.query(rows);
  expect(stored.rowCount).toBeGreaterThanOrEqual(2);
  const text = stored.rows
    .flatMap((row) => Object.values(row))
    .map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value)))
    .join("\n");
  for (const secret of [chosen, token, ...recoveryCodes]) expect(text).not.toContain(secret);
  clock.forward(10 * minute + 1);
  await deleteExpired(platform.db, platform.now());
  expect((await owner.query(rows)).rowCount).toBe(0);
});
