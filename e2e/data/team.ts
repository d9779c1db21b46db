import { randomBytes } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { hashPassword } from "../../server/src/platform/auth/passwords/passwords.ts";
import { hashToken, newToken } from "../../server/src/platform/auth/secrets.ts";
import type { Product } from "../environment/product.ts";

export type Person = { name: string; email: string; password: string };

/** A person with a unique email address. */
export const newPerson = (name: string): Person => ({
  name,
  email: `${randomBytes(6).toString("hex")}@example.com`,
  password: `walnut ferry ${randomBytes(6).toString("hex")} cobalt`,
});

export const findPasswordLink = (text: string) => {
  const [link] = /http:\S+#set-password=\S+/.exec(text) ?? [];
  if (!link) throw new Error(`There is no link in: ${text}`);
  return link;
};

/** Creates an owner with the CLI and returns the link to set the password. */
export const createOwner = async ({ purser }: Product, { email, name }: Person) =>
  findPasswordLink(await purser("create-owner", "--email", email, "--name", name));

/**
 * Inserts an active team member with a password, who has had the role for long enough to approve requests. The sign-in
 * tests go through the invitation instead.
 */
export const insertTeamMember = async ({ database }: Product, person: Person, role = "owner") => {
  const { rows } = await database.query<{ id: string }>(
    `insert into users (email, name, role, status, role_given_at) values ($1, $2, $3, 'active', null)
     returning id`,
    [person.email, person.name, role],
  );
  const [member] = rows;
  if (!member) throw new Error(`${person.email} was not inserted.`);
  await database.query("insert into passwords (id, hash, changed_at) values ($1, $2, now())", [
    member.id,
    await hashPassword(person.password),
  ]);
  return member.id;
};

/**
 * Starts a session without the login form, which costs a page load and a password hash. Its identity counts as
 * confirmed, also for tests that run much later.
 */
export const startSession = async (
  context: BrowserContext,
  { database, origin }: Product,
  userId: string,
) => {
  const token = newToken();
  await database.query(
    `insert into sessions (token_hash, user_id, created_at, last_seen_at, address, device, proven_at)
     values ($1, $2, now(), now(), '127.0.0.1', 'Chromium', now() + interval '12 hours')`,
    [hashToken(token), userId],
  );
  const { hostname: domain } = new URL(origin);
  await context.addCookies([
    {
      name: "__Host-purser",
      value: token,
      domain,
      path: "/",
      httpOnly: true,
      secure: true,
      sameSite: "Strict",
    },
  ]);
};

/** A new owner with a prepared session in that browser context. */
export const addOwner = async (context: BrowserContext, product: Product, name = "Olga Owner") => {
  const owner = newPerson(name);
  await startSession(context, product, await insertTeamMember(product, owner));
  return owner;
};
