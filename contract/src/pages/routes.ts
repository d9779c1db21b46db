import type { Permission } from "../auth/permissions.ts";

/** A read of the API that a page's first screen shows. */
type Read = {
  /** The path of the endpoint; what it names is taken from the page's address. */
  path: `/${string}`;
  /** Part of the screen only in this tab, where a page has tabs. */
  tab?: string | null;
  /** The page is a list: what its address says goes to the endpoint. */
  list?: true;
  /** What else the endpoint is asked, for the record that the address names. */
  query?: (params: Record<string, string>) => Record<string, string | string[]>;
  /** What else of its address goes there. */
  search?: readonly string[];
};

export type Route = {
  title: string;
  /** Asks for a session before anything of the page is loaded; without it the page is public. */
  guard?: "auth";
  permission?: Permission;
  /** What the page shows first, sent along with it in one answer. */
  payload: readonly Read[];
  /** Ours, beyond the specification. */
  addition?: true;
};

/** What the menu beside every page shows. */
const menu: readonly Read[] = [{ path: "/transactions/counts" }, { path: "/approvals/counts" }];

const page = (title: string, permission: Permission, payload: readonly Read[] = []) =>
  ({ title, guard: "auth", permission, payload: [...payload, ...menu] }) as const satisfies Route;

/** The first of an app's features, as its page shows them. */
export const featuresOfApp = (id: string) => ({
  f: [`app:any:${id}`],
  sort: "name",
  size: "10",
  count: "capped" as const,
});

/** The newest of a person's transactions, as their page shows them. */
export const transactionsOfUser = (id: string) => ({
  f: [`user:any:${id}`],
  size: "3",
  count: "capped" as const,
});

/** What waits for a second person, as the page of approvals shows it. */
export const waitingApprovals = { f: ["status:any:waiting"], size: "50", count: "none" as const };

/** Every address of a page. The server answers 200 to these and 404 to all others; the web shows them. */
export const routes = {
  "/login": { title: "Sign in", payload: [] },
  "/": {
    title: "Home",
    guard: "auth",
    payload: [{ path: "/apps/counts" }, { path: "/activity" }, ...menu],
  },
  "/apps": page("Apps", "apps:read", [{ path: "/apps", list: true }, { path: "/apps/counts" }]),
  "/apps/create": page("New app", "apps:write"),
  "/apps/edit/$id": page("Edit app", "apps:write", [{ path: "/apps/:id" }]),
  "/apps/view/$id": page("App", "apps:read", [
    { path: "/apps/:id" },
    { path: "/apps/:id/keys", tab: null },
    { path: "/features", tab: null, query: ({ id = "" }) => featuresOfApp(id) },
    { path: "/apps/:id/activity", tab: "activity" },
  ]),
  "/feature": page("Features", "features:read", [
    { path: "/features", list: true },
    { path: "/features/counts" },
  ]),
  "/feature/create": page("New feature", "features:write"),
  "/feature/edit/$id": page("Edit feature", "features:write", [{ path: "/features/:id" }]),
  "/feature/view/$id": page("Feature", "features:read", [
    { path: "/features/:id" },
    { path: "/features/:id/uses", tab: null },
    { path: "/features/:id/activity", tab: "activity" },
  ]),
  "/package": page("Packages", "packages:read", [
    { path: "/packages", list: true },
    { path: "/packages/counts" },
  ]),
  "/package/create": page("New package", "packages:write"),
  "/package/edit/$id": page("Edit package", "packages:write", [{ path: "/packages/:id" }]),
  "/package/view/$id": page("Package", "packages:read", [
    { path: "/packages/:id" },
    { path: "/packages/:id/versions" },
    { path: "/packages/:id/rollouts", tab: null },
    { path: "/packages/:id/holders", tab: null },
    { path: "/packages/:id/activity", tab: "activity" },
  ]),
  "/package/apps/$id": page("Apps of a package", "packages:read", [
    { path: "/packages/:id/matrix", search: ["with"] },
  ]),
  "/promotion": page("Promotions", "promotions:read", [
    { path: "/promotions", list: true },
    { path: "/promotions/counts" },
  ]),
  "/promotion/create": page("New promotion", "promotions:write"),
  "/promotion/edit/$id": page("Edit promotion", "promotions:write", [{ path: "/promotions/:id" }]),
  "/transaction": page("Transactions", "transactions:read", [
    { path: "/transactions", list: true },
  ]),
  "/transaction/create": page("New transaction", "transactions:write"),
  "/transaction/edit/$id": page("Edit transaction", "transactions:write", [
    { path: "/transactions/:id" },
  ]),
  "/transaction/view/$id": page("Transaction", "transactions:read", [
    { path: "/transactions/:id" },
    { path: "/transactions/:id/activity", tab: "activity" },
  ]),
  "/users": page("Users", "users:read", [
    { path: "/users", list: true },
    { path: "/users/counts" },
  ]),
  "/users/create": page("New user", "users:write"),
  "/users/edit/$id": page("Edit user", "users:write", [{ path: "/users/:id" }]),
  "/users/view/$id": page("User", "users:read", [
    { path: "/users/:id" },
    { path: "/users/:id/subscriptions" },
    { path: "/users/:id/notes", tab: null },
    { path: "/transactions", tab: null, query: ({ id = "" }) => transactionsOfUser(id) },
    { path: "/users/:id/activity" },
  ]),
  "/catalogue": { ...page("Catalogue as code", "packages:read"), addition: true },
  "/webhook": {
    ...page("Webhooks", "webhooks:read", [
      { path: "/webhook-endpoints" },
      { path: "/webhook-deliveries", list: true },
    ]),
    addition: true,
  },
  "/settings": {
    ...page("Settings", "settings:read", [{ path: "/settings" }, { path: "/settings/activity" }]),
    addition: true,
  },
  "/roles": { ...page("Roles", "staff:read", [{ path: "/roles" }]), addition: true },
  "/audit": {
    ...page("Audit log", "audit:read", [
      { path: "/audit", list: true },
      { path: "/audit/verification" },
    ]),
    addition: true,
  },
  "/approvals": {
    title: "Approvals",
    guard: "auth",
    payload: [{ path: "/approvals", query: () => waitingApprovals }, ...menu],
    addition: true,
  },
  "/account": {
    title: "Profile and security",
    guard: "auth",
    payload: [{ path: "/passkeys" }, { path: "/sessions" }, { path: "/sign-ins" }, ...menu],
    addition: true,
  },
} as const satisfies Record<`/${string}`, Route>;

export type RoutePath = keyof typeof routes;

export const builtRoutes = Object.keys(routes) as readonly RoutePath[];

const idMax = 100;

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

const known = builtRoutes.map((path) => ({ path, segments: segmentsOf(path) }));

export type PageMatch = {
  path: RoutePath;
  params: Record<string, string>;
  /** How the address is spelled; any other spelling leads here. */
  canonical: string;
};

const matchOne = (
  { path, segments }: (typeof known)[number],
  given: string[],
): PageMatch | null => {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  const spelled: string[] = [];
  for (const [place, segment] of segments.entries()) {
    const raw = given[place] ?? "";
    const value = decoded(raw);
    if (value === null) return null;
    if (segment.startsWith("$")) {
      // A browser takes dots for steps in the path, so that no record can be called so.
      if (value.length > idMax || value === "." || value === "..") return null;
      params[segment.slice(1)] = value;
      spelled.push(raw);
    } else {
      if (value.toLowerCase() !== segment) return null;
      spelled.push(segment);
    }
  }
  return { path, params, canonical: `/${spelled.join("/")}` };
};

/** The page at a path, as it stands in the address: server and web decide by this alone. */
export const matchPage = (pathname: string): PageMatch | null => {
  // Two slashes at the start would be another host.
  if (!pathname.startsWith("/") || pathname.startsWith("//")) return null;
  const given = segmentsOf(pathname);
  for (const route of known) {
    const match = matchOne(route, given);
    if (match) return match;
  }
  return null;
};
