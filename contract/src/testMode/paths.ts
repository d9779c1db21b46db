/** Test mode is below the URL of the dashboard and of the API. */
export const testPath = "/test";

/** What belongs to the user who signed in and to their session. It is the same in test mode, so live answers. */
const ownPaths = [
  ...["/session", "/sessions", "/sign-ins", "/account", "/preferences"],
  ...["/password", "/passkeys", "/two-factor"],
];

/** What applies to both modes. Test mode shows it, and it is changed in live. */
const sharedPaths = ["/team", "/roles", "/settings"];

const isBelow = (path: string, paths: readonly string[]) =>
  paths.some((start) => path === start || path.startsWith(`${start}/`));

/** Whether live answers this call of the API in test mode. */
export const isAnsweredByLive = (method: string, path: string) =>
  isBelow(path, ownPaths) || (isBelow(path, sharedPaths) && ["GET", "HEAD"].includes(method));

/** Whether test mode refuses this call, because it changes what applies to both modes. */
export const isChangedInLive = (method: string, path: string) =>
  isBelow(path, sharedPaths) && !isAnsweredByLive(method, path);
