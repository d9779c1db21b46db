import { matchPage } from "@purser/contract/pages/routes";

/** The address as the browser would read it: it drops tabs and line ends, and turns \\ around. */
const pathOf = (wanted: string) => {
  const { origin, pathname, search, hash } = new URL(wanted, "http://ours.invalid");
  return origin === "http://ours.invalid" ? `${pathname}${search}${hash}` : null;
};

/** Where to go after signing in: only a path of ours, never another site. */
export const destinationOf = (wanted: string | undefined) => {
  const path =
    wanted?.startsWith("/") && URL.canParse(wanted, "http://ours.invalid") && pathOf(wanted);
  if (!path) return "/";
  const match = matchPage(path.split(/[?#]/)[0] ?? "");
  return match && match.path !== "/login" ? path : "/";
};
