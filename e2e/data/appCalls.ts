import type { APIRequestContext } from "@playwright/test";
import { uniqueCode } from "./api.ts";

/** The calls of a sold app with one key. */
export const appCallsWith = (request: APIRequestContext, origin: string, key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  return {
    check: async (user: string, feature: string) => {
      const params = { user, feature };
      const response = await request.get(`${origin}/api/check`, { headers, params });
      if (!response.ok()) throw new Error(await response.text());
    },
    consume: async (user: string, feature: string, amount: number) => {
      const data = { id: uniqueCode("event"), user, feature, amount };
      const response = await request.post(`${origin}/api/usage/consume`, { headers, data });
      if (!response.ok()) throw new Error(await response.text());
    },
  };
};
