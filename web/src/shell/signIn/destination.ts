import { matchPage } from "@purser/contract/pages/routes";

/** The path as a browser reads it: it drops tabs and line breaks and turns \\ into /. */
const pathOf = (wanted: string) => {
  const { origin, pathname, search, hash } = new URL(wanted, "http://ours.invalid");
  return origin === "http://ours.invalid" ? `${pathname}${search}${hash}` : null;
};

/** Where to go after signing in. Only own pages, never another site. */
export const destinationOf = (wanted: string | undefined) => {
  const path =
    wanted?.startsWith("/") && URL.canParse(wanted, "http://ours.invalid") && pathOf(wanted);
  if (!path) return "/";
  const match = matchPage(path.split(/[?#]/)[0] ?? "");
  return match && match.path !== "/login" ? path : "/";
};
