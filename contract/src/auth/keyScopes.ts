/** What an API key of a sold app can be allowed to do. Publishable keys can only have the first one. */
export const keyScopes = [
  "entitlements:read",
  "usage:write",
  "customers:read",
  "customers:write",
] as const;
export type KeyScope = (typeof keyScopes)[number];
