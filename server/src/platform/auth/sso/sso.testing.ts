import { randomUUID } from "node:crypto";
import { getSession } from "@purser/contract/auth/session";
import { signInWithSso, startSso } from "@purser/contract/auth/sso";
import { expect } from "vitest";
import type { TestProduct } from "#testing.ts";
import { cookieOf, newAddress } from "../testing.ts";
import { type openIdentityProvider, signInAtProvider } from "./identityProvider.testing.ts";

type Provider = Awaited<ReturnType<typeof openIdentityProvider>>;

/** The groups of the identity provider and their roles, as in the settings. */
export const groups = [
  { group: "office-owners", role: "owner" },
  { group: "office-finance", role: "finance" },
  { group: "everybody", role: "viewer" },
];

type Made = {
  groups?: string[];
  email?: string;
  isVerified?: boolean;
  amr?: string[];
  signedInSecondsAgo?: number;
};

/** Signs in to a product through a provider, step by step or at once. */
export const ssoIn = ({ call, owner }: TestProduct, provider: Provider) => {
  const decide = (values: Record<string, unknown> = {}) =>
    owner.query(
      `update settings set passwords_allowed = $1, sign_in_groups = $2, second_factor_roles = $3`,
      [
        values["passwordsAllowed"] ?? true,
        JSON.stringify(values["signInGroups"] ?? groups),
        values["twoFactorRoles"] ?? [],
      ],
    );

  /** A person whom the provider knows, and Purser perhaps not. */
  const addIdentity = ({
    groups: of = ["everybody"],
    email,
    isVerified = true,
    amr,
    signedInSecondsAgo,
  }: Made = {}) => {
    const subject = randomUUID();
    const claims = {
      email: email ?? `${subject}@example.com`,
      email_verified: isVerified,
      name: "Jo Harbour",
      groups: of,
      ...(amr && { amr }),
      ...(signedInSecondsAgo && { signedInSecondsAgo }),
    };
    provider.people.set(subject, claims);
    return { subject, ...claims };
  };

  const start = async (redirect?: string) => {
    const body = redirect === undefined ? {} : { redirect };
    const started = await call(null, startSso, { body, address: newAddress() });
    expect(started.status).toBe(200);
    return { address: started.body.address, cookie: cookieOf(started) };
  };

  const finish = (cookie: string, answer: string) =>
    call({ cookie }, signInWithSso, { body: { answer }, address: newAddress() });

  const enterAs = async (subject: string, redirect?: string) => {
    const { address, cookie } = await start(redirect);
    return finish(cookie, await signInAtProvider(address, subject));
  };

  const meOf = async (entered: Awaited<ReturnType<typeof enterAs>>) => {
    expect(entered.status, entered.text).toBe(200);
    return (await call({ cookie: cookieOf(entered) }, getSession)).body;
  };

  return { decide, addIdentity, start, finish, enterAs, meOf };
};
