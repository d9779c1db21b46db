import { startSso } from "@purser/contract/auth/sso";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { minute, movableClock, newAddress } from "../testing.ts";
import { openIdentityProvider, signInAtProvider } from "./identityProvider.testing.ts";
import { ssoIn } from "./sso.testing.ts";

const provider = await openIdentityProvider(() => "http://localhost:3000/login");
afterAll(provider.close);
const clock = movableClock();
const product = await testProduct({ clock, environment: provider.environment });
const { call } = product;
const { decide, addIdentity, start, finish } = ssoIn(product, provider);

beforeEach(() => decide());

test("binds the browser with a cookie of the host that survives the redirect", async () => {
  const started = await call(null, startSso, { body: {}, address: newAddress() });
  const [line = ""] = [started.headers["set-cookie"] ?? []].flat();
  expect(line).toMatch(/^__Host-purser-sso=[A-Za-z0-9_-]{43};/);
  for (const needed of ["Secure", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=600"])
    expect(line.split("; ")).toContain(needed);
  const address = new URL(started.body.address);
  expect(address.searchParams.get("code_challenge_method")).toBe("S256");
  for (const secret of ["state", "nonce", "code_challenge"])
    expect(address.searchParams.get(secret)?.length).toBeGreaterThanOrEqual(43);
});

const refusedAsUnanswered = async (answer: ReturnType<typeof finish>) => {
  const { status, body, cookies } = await answer;
  expect([status, body["type"]]).toEqual([403, "urn:purser:problem:sso_refused"]);
  expect(cookies.map(({ name }) => name)).not.toContain("__Host-purser");
};

test("refuses a reply with another state, and its code", async () => {
  const { subject } = addIdentity();
  const { address, cookie } = await start();
  const answer = new URLSearchParams(await signInAtProvider(address, subject));
  const right = answer.toString();
  answer.set("state", "A".repeat(43));
  await refusedAsUnanswered(finish(cookie, answer.toString()));
  await refusedAsUnanswered(finish(cookie, right));
});

test("accepts a reply once, and its code in no other reply", async () => {
  const { subject } = addIdentity();
  const { address, cookie } = await start();
  const answer = await signInAtProvider(address, subject);
  expect((await finish(cookie, answer)).status).toBe(200);
  await refusedAsUnanswered(finish(cookie, answer));
  // Another browser puts the code into its own reply, but has another verifier.
  const thief = await start();
  const state = new URL(thief.address).searchParams.get("state") ?? "";
  const injected = new URLSearchParams(answer);
  injected.set("state", state);
  await refusedAsUnanswered(finish(thief.cookie, injected.toString()));
});

test("accepts one of 20 identical replies at the same time", async () => {
  const { subject } = addIdentity();
  const { address, cookie } = await start();
  const answer = await signInAtProvider(address, subject);
  const all = await Promise.all(Array.from({ length: 20 }, () => finish(cookie, answer)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(all.filter(({ status }) => status === 403)).toHaveLength(19);
});

test("refuses the reply from another browser", async () => {
  const { subject } = addIdentity();
  const { address } = await start();
  const answer = await signInAtProvider(address, subject);
  await refusedAsUnanswered(finish("", answer));
  await refusedAsUnanswered(finish((await start()).cookie, answer));
});

test("refuses a token with another nonce", async () => {
  const { subject } = addIdentity();
  const { address, cookie } = await start();
  const bent = new URL(address);
  bent.searchParams.set("nonce", "B".repeat(43));
  await refusedAsUnanswered(finish(cookie, await signInAtProvider(bent.href, subject)));
});

test("refuses a reply after ten minutes", async () => {
  const { subject } = addIdentity();
  const { address, cookie } = await start();
  const answer = await signInAtProvider(address, subject);
  clock.forward(10 * minute);
  await refusedAsUnanswered(finish(cookie, answer));
});

test.each(["error=access_denied&state=x", "nonsense", "code=x&state=y&code=z"])(
  "refuses the reply %s",
  async (answer) => {
    const { cookie } = await start();
    await refusedAsUnanswered(finish(cookie, answer));
  },
);
