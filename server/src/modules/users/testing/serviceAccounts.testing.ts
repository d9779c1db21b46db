import type { Wire } from "@purser/contract/http/endpoint";
import {
  createServiceAccount,
  createServiceKey,
  listServiceAccounts,
} from "@purser/contract/users/serviceAccounts";
import { expect } from "vitest";
import type { TestProduct } from "#testing.ts";

type Details = Partial<Wire<typeof createServiceAccount>["body"]>;

/** Creates service accounts and their keys through the API, by this team member. */
export const serviceAccountsIn = ({ call }: TestProduct, by: { cookie: string }) => {
  const newAccount = async (details: Details = {}) => {
    const body = { name: "Shop backend", role: "admin" as const, ...details };
    const made = await call(by, createServiceAccount, { body });
    expect(made.status, made.text).toBe(201);
    return made.body;
  };

  /** A key as a caller of the API. */
  const newKey = async (id: string, name = "Production") => {
    const made = await call(by, createServiceKey, { params: { id }, body: { name } });
    expect(made.status, made.text).toBe(201);
    const { secret, ...key } = made.body;
    return { ...key, serviceKey: secret };
  };

  const newCaller = async (details: Details = {}) => {
    const account = await newAccount(details);
    const { serviceKey, id: keyId } = await newKey(account.id);
    return { ...account, serviceKey, keyId };
  };

  const read = async (id: string) => {
    const { items } = (await call(by, listServiceAccounts)).body;
    const found = items.find((account) => account.id === id);
    if (!found) throw new Error(`There is no service account ${id}.`);
    return found;
  };

  return { newAccount, newKey, newCaller, read };
};
