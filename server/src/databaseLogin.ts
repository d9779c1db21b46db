import { userInfo } from "node:os";
import type { Environment } from "./environmentFiles.ts";
import { urlsOf } from "./platform/db/hosts.ts";

/** The login of the system if the URL and the environment name none, like other tools of PostgreSQL. */
export const withLogin = (url: string, { PGUSER, USER }: Environment) => {
  const named = new URL(urlsOf(url)[0] ?? url);
  if (named.username || named.searchParams.has("user") || PGUSER || USER) return url;
  try {
    const { username } = userInfo();
    // A URL without a host has no place for a login.
    if (named.hostname) return url.replace("://", `://${encodeURIComponent(username)}@`);
    named.searchParams.set("user", username);
    return named.href;
  } catch {
    // A user without a name, as in some containers. The error of the connection says what to set.
    return url;
  }
};
