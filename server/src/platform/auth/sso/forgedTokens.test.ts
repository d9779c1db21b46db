import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { signInWithSso, startSso } from "@purser/contract/auth/sso";
import { afterAll, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { cookieOf, newAddress } from "../testing.ts";

const clientId = "purser";
const clientSecret = "a secret between the tests and their provider";
const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const own = newKeys();
const foreign = newKeys();

/** The ID token that the provider returns next. */
let idToken = "";
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const replies: Record<string, () => object> = {
  "/.well-known/openid-configuration": () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: ["RS256"],
  }),
  "/jwks": () => ({
    keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "own", alg: "RS256", use: "sig" }],
  }),
  "/token": () => ({ access_token: "x", token_type: "Bearer", expires_in: 60, id_token: idToken }),
};
server.on("request", ({ url = "" }, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(replies[url]?.() ?? {}));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const product = await testProduct({
  environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
});
const { call, owner } = product;
await owner.query(
  `update settings set sign_in_groups = '[{"group": "everybody", "role": "viewer"}]', second_factor_roles = '{}'`,
);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const signed = (claims: object, key: KeyObject, header: object = {}) => {
  const text = `${part({ alg: "RS256", kid: "own", ...header })}.${part(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
};
const seconds = () => Math.floor(Date.now() / 1000);

/** Signs in with the token that `make` creates from claims that are right. */
const enterWith = async (make: (claims: Record<string, unknown>) => string) => {
  const started = await call(null, startSso, { body: {}, address: newAddress() });
  const { searchParams } = new URL(started.body.address);
  const nonce = searchParams.get("nonce");
  const claims = {
    iss: issuer,
    aud: clientId,
    sub: "robin",
    nonce,
    iat: seconds(),
    exp: seconds() + 60,
    auth_time: seconds(),
    email: "robin@example.com",
    email_verified: true,
    name: "Robin",
    groups: ["everybody"],
  };
  idToken = make(claims);
  const answer = new URLSearchParams({
    code: "any",
    state: searchParams.get("state") ?? "",
    iss: issuer,
  });
  const cookie = cookieOf(started);
  return call({ cookie }, signInWithSso, {
    body: { answer: answer.toString() },
    address: newAddress(),
  });
};

test("T17 accepts the ID token of the provider", async () => {
  const entered = await enterWith((claims) => signed(claims, own.privateKey));
  expect(entered.status, entered.text).toBe(200);
  expect(entered.cookies.map(({ name }) => name)).toContain("__Host-purser");
});

type Make = (claims: Record<string, unknown>) => string;
const publicText = own.publicKey.export({ format: "pem", type: "spki" });
const forgeries: Record<string, Make> = {
  "a signature of another key": (claims) => signed(claims, foreign.privateKey),
  "a signature of another key that names itself": (claims) =>
    signed(claims, foreign.privateKey, { jwk: foreign.publicKey.export({ format: "jwk" }) }),
  "an unknown key ID": (claims) => signed(claims, foreign.privateKey, { kid: "other" }),
  "no signature": (claims) => `${part({ alg: "none" })}.${part(claims)}.`,
  "an empty signature": (claims) => `${part({ alg: "RS256", kid: "own" })}.${part(claims)}.`,
  "the public key as a shared secret": (claims) => {
    const text = `${part({ alg: "HS256", kid: "own" })}.${part(claims)}`;
    return `${text}.${createHmac("sha256", publicText).update(text).digest("base64url")}`;
  },
  "the client secret as a shared secret": (claims) => {
    const text = `${part({ alg: "HS256" })}.${part(claims)}`;
    return `${text}.${createHmac("sha256", clientSecret).update(text).digest("base64url")}`;
  },
  "changed claims": (claims) => {
    const [head, , signature] = signed(claims, own.privateKey).split(".");
    return `${head}.${part({ ...claims, sub: "owner" })}.${signature}`;
  },
  "another audience": (claims) => signed({ ...claims, aud: "other" }, own.privateKey),
  "several audiences and another authorized party": (claims) =>
    signed({ ...claims, aud: [clientId, "other"], azp: "other" }, own.privateKey),
  "another issuer": (claims) => signed({ ...claims, iss: "https://evil.example" }, own.privateKey),
  "another nonce": (claims) => signed({ ...claims, nonce: "B".repeat(43) }, own.privateKey),
  "no nonce": ({ nonce: _, ...claims }) => signed(claims, own.privateKey),
  "a time that is over": (claims) =>
    signed({ ...claims, iat: seconds() - 7200, exp: seconds() - 3600 }, own.privateKey),
  "no end": ({ exp: _, ...claims }) => signed(claims, own.privateKey),
  "no subject": ({ sub: _, ...claims }) => signed(claims, own.privateKey),
  "no form of a token": () => "x",
};

test.each(Object.entries(forgeries))("T17 refuses an ID token with %s", async (_name, make) => {
  const entered = await enterWith(make);
  expect([entered.status, entered.body["type"]]).toEqual([403, "urn:purser:problem:sso_refused"]);
  expect(entered.cookies.map(({ name }) => name)).not.toContain("__Host-purser");
});
