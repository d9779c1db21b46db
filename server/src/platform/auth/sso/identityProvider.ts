import { proofMinutes } from "@purser/contract/auth/confirmation";
import { email as emailText, text } from "@purser/contract/fields/text";
import * as oidc from "openid-client";
import { z } from "zod";
import type { Config } from "#config.ts";
import { Problem } from "#platform/http/problem.ts";
import { workspaceUrl } from "#platform/http/publicUrls.ts";
import { message } from "#platform/messages.ts";

/** What the identity provider vouches for. */
export type SsoIdentity = {
  issuer: string;
  subject: string;
  /** Null unless the provider has verified the address. */
  email: string | null;
  name: string;
  groups: string[];
  /** Whether the provider states that it required more than a password. */
  twoFactor: boolean;
  /** How long ago the user signed in at the provider, by its own clock. Null if it doesn't say so. */
  signedInMsAgo: number | null;
};

/** What the reply must match. It is stored encrypted while the browser is at the provider. */
export const expectation = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirect: z.string().nullable(),
});
export type Expectation = z.output<typeof expectation>;

const timeoutSeconds = 5;

const unreachable = (name: string) =>
  new Problem(
    "unavailable",
    message("sso_unreachable", "Can't reach {provider}. Try again in a moment.", {
      provider: name,
    }),
    { retryAfterSeconds: 10 },
  );

/** Whether the reply itself is invalid. Any other error is the network, or the provider is down. */
const isRefusal = (error: unknown) =>
  error instanceof oidc.AuthorizationResponseError ||
  error instanceof oidc.ResponseBodyError ||
  (error instanceof oidc.ClientError && error.code !== "OAUTH_TIMEOUT");

const listOf = (claim: unknown) =>
  [claim].flat().filter((one): one is string => typeof one === "string");

const nameText = text({ min: 1, max: 120 });

const nameIn = (claims: Record<string, unknown>, email: string | null) => {
  const given = [claims["name"], claims["preferred_username"], email?.split("@")[0]];
  return given.map((one) => nameText.safeParse(one).data).find(Boolean) ?? "New team member";
};

/** Reads the metadata of the provider once. After a failure the next sign-in tries again. */
const discovery = (issuer: URL, config: Config) => {
  const { OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET = "", OIDC_NAME: name } = config;
  let discovered: Promise<oidc.Configuration> | null = null;
  return async () => {
    discovered ??= oidc.discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
      timeout: timeoutSeconds,
      execute: [
        // Verifies the signature of the token instead of trusting the connection alone.
        oidc.enableNonRepudiationChecks,
        ...(issuer.protocol === "http:" ? [oidc.allowInsecureRequests] : []),
      ],
    });
    try {
      return await discovered;
    } catch {
      discovered = null;
      throw unreachable(name);
    }
  };
};

const ageIn = ({ iat, auth_time: signedInAt }: Record<string, unknown>) =>
  typeof iat === "number" && typeof signedInAt === "number"
    ? Math.max(0, iat - signedInAt) * 1000
    : null;

type Read = { issuer: string; subject: string; claims: Record<string, unknown> };

const identityOf = ({ issuer, subject, claims }: Read, groupsClaim: string): SsoIdentity => {
  const isVerified = claims["email_verified"] === true;
  const email = isVerified ? (emailText.safeParse(claims["email"]).data ?? null) : null;
  return {
    issuer,
    subject,
    email,
    name: nameIn(claims, email),
    groups: listOf(claims[groupsClaim]),
    twoFactor: listOf(claims["amr"]).includes("mfa"),
    signedInMsAgo: ageIn(claims),
  };
};

/** The OpenID Connect provider, or null if none is configured. */
export const openIdentityProvider = (config: Config) => {
  const { OIDC_ISSUER, OIDC_NAME: name } = config;
  if (!OIDC_ISSUER) return null;
  const redirectUri = `${workspaceUrl(config)}/login`;
  const discover = discovery(new URL(OIDC_ISSUER), config);

  const readClaims = async (
    answer: string,
    { state, nonce, verifier }: Expectation,
  ): Promise<Read | null> => {
    const client = await discover();
    const tokens = await oidc.authorizationCodeGrant(client, new URL(`${redirectUri}?${answer}`), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (!idToken) return null;
    const info = client.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(client, tokens.access_token, idToken.sub)
      : {};
    const { iss, sub } = idToken;
    const claims: Record<string, unknown> = { ...info, ...idToken };
    return { issuer: iss, subject: sub, claims };
  };

  return {
    name,
    /** The URL to send the browser to, and what the reply must match. */
    start: async (redirect: string | null) => {
      const client = await discover();
      const expected: Expectation = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        redirect,
      };
      const address = oidc.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: config.OIDC_SCOPES,
        state: expected.state,
        nonce: expected.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(expected.verifier),
        code_challenge_method: "S256",
        // Signing in here is a proof of identity, so the provider asks again if its own session is older.
        max_age: String(proofMinutes * 60),
      });
      return { address: address.href, expected };
    },
    /** The identity, or null if the reply does not match. */
    finish: async (answer: string, expected: Expectation): Promise<SsoIdentity | null> => {
      const read = await readClaims(answer, expected).catch((error: unknown) => {
        if (error instanceof Problem) throw error;
        if (isRefusal(error)) return null;
        throw unreachable(name);
      });
      return read && identityOf(read, config.OIDC_GROUPS_CLAIM);
    },
  };
};
export type IdentityProvider = NonNullable<ReturnType<typeof openIdentityProvider>>;
