/// <reference path="./oidcProvider.d.ts" />
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Context, Provider } from "oidc-provider";

type Claims = {
  email: string;
  email_verified: boolean;
  name?: string;
  groups?: string[];
  amr?: string[];
  /** Signed in at the provider this long ago, however recent Purser wants it to be. */
  signedInSecondsAgo?: number;
};

const clientId = "purser";
const clientSecret = "a secret between the tests and their provider";

const people = new Map<string, Claims>();

/** Grants consent automatically, because the tests are about signing in. */
const loadExistingGrant = async ({ oidc: { client, session, provider } }: Context) => {
  session.loginTs -= people.get(session.accountId)?.signedInSecondsAgo ?? 0;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope("openid email profile");
  await grant.save();
  return grant;
};

/**
 * A real identity provider on loopback, with the people that a test adds. It redirects browsers only to the
 * product, whose address may be known later.
 */
export const openIdentityProvider = async (redirectUri: () => string) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ["http://localhost/login"],
      },
    ],
    pkce: { required: () => true },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "groups", "amr"],
    },
    findAccount: async (_: Context, accountId: string) =>
      people.has(accountId) && {
        accountId,
        claims: async () => ({ sub: accountId, ...people.get(accountId) }),
      },
    loadExistingGrant,
    cookies: { keys: ["keys of the tests"] },
  });
  provider.Client.prototype.redirectUriAllowed = (uri) => uri === redirectUri();
  server.on("request", provider.callback());
  return {
    people,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: "Northquay",
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((line) => (line.split(";")[0] ?? "").split("="));

/** Signs in at the provider as a browser of its own would; gives the query that it comes back with. */
export const signInAtProvider = async (address: string, login: string) => {
  const jar = new Map<string, string>();
  let next = new URL(address);
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 10; step += 1) {
    const response: Response = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { method: "POST", body: form }),
    });
    for (const [name = "", ...value] of cookiesOf(response)) jar.set(name, value.join("="));
    const location = response.headers.get("location");
    if (location === null && next.pathname.startsWith("/interaction/") && !form) {
      form = new URLSearchParams({ prompt: "login", login, password: "any" });
      continue;
    }
    if (location === null)
      throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    form = null;
    const target = new URL(location, next);
    if (target.origin !== next.origin) return target.search.slice(1);
    next = target;
  }
  throw new Error("The provider never sent the browser back.");
};
