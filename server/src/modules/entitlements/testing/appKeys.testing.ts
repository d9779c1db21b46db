import { createAppKey } from "@purser/contract/apps/keys";
import {
  createCustomerToken,
  customerTokenHeader,
} from "@purser/contract/entitlements/customerTokens";
import type { TestProduct } from "#testing.ts";

type Headers = { authorization: string };

/** API keys of apps and customer tokens, as headers. The origin is the one that test requests send. */
export const appKeysIn = ({ call, config }: TestProduct, admin: { cookie: string }) => {
  const newKey = async (appId: string, more: object = {}) => {
    const { body } = await call(admin, createAppKey, {
      params: { id: appId },
      body: { name: "Key", kind: "server", scopes: ["entitlements:read"], ...more },
    });
    return { id: body.id, headers: { authorization: `Bearer ${body.secret}` } };
  };

  const newToken = async (headers: Headers, user: string, more: { minutes?: number } = {}) => {
    const { body } = await call(null, createCustomerToken, { headers, body: { user, ...more } });
    return body.token;
  };

  return {
    newServerKey: (appId: string) =>
      newKey(appId, { scopes: ["entitlements:read", "usage:write"] }),
    newPublishableKey: (appId: string, origins = [config.PUBLIC_URL]) =>
      newKey(appId, { kind: "publishable", origins }),
    newToken,
    withToken: (headers: Headers, token: string) => ({ ...headers, [customerTokenHeader]: token }),
  };
};
