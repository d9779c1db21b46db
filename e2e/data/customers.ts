import type { Page } from "@playwright/test";
import { callApi, uniqueCode } from "./api.ts";

export type User = {
  id: string;
  number: string;
  name: string;
  email: string;
  role: string | null;
  status: string;
  externalId: string | null;
  country: string | null;
  version: number;
};

type Details = { name?: string; email?: string; [detail: string]: unknown };

/** A customer that is this test's own. */
export const makeUser = (page: Page, details: Details = {}) => {
  const code = uniqueCode("user");
  return callApi<User>(page, {
    method: "POST",
    path: "/users",
    body: { email: `${code}@example.com`, name: `User ${code}`, ...details },
  });
};

/** A change by another user: the stored details with these changes. */
export const changeUser = async (page: Page, id: string, changes: Details) => {
  const stored = await callApi<User & Record<string, unknown>>(page, { path: `/users/${id}` });
  const { name, email, externalId, country, locale, timeZone, version } = stored;
  const body = { name, email, externalId, country, locale, timeZone, ...changes };
  return callApi<User>(page, { method: "PUT", path: `/users/${id}`, version, body });
};
