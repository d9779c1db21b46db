import type { Permission } from "../auth/permissions.ts";

/** An API call whose reply the first screen shows. */
type Read = {
  /** The path of the endpoint; its params come from the page's URL. */
  path: `/${string}`;
  /** Only read if this tab is open. */
  tab?: string | null;
  /** The page is a list, so its search goes to the endpoint. */
  list?: true;
  /** Further query for the record in the URL. */
  query?: (params: Record<string, string>) => Record<string, string | string[]>;
  /** Names in the page's search that go to the endpoint. */
  search?: readonly string[];
};

export type Route = {
  title: string;
  /** Requires a session before anything is loaded; without it the page is public. */
  guard?: "auth";
  permission?: Permission;
  /** The data of the first screen, sent with the page in one response. */
  payload: readonly Read[];
  /** Not in the specification. */
  addition?: true;
};

/** Data of the menu on every page. */
const menu: readonly Read[] = [
  { path: "/transactions/counts" },
  { path: "/approvals/counts" },
  { path: "/notifications/unread" },
  { path: "/views" },
];

const page = (title: string, permission: Permission, payload: readonly Read[] = []) =>
  ({ title, guard: "auth", permission, payload: [...payload, ...menu] }) as const satisfies Route;

/** The first features on an app's page. */
export const featuresOfApp = (id: string) => ({
  f: [`app:any:${id}`],
  sort: "name",
  size: "10",
  count: "capped" as const,
});

/** The features that a check of an app can be tested with. */
export const testableFeatures = (id: string) => ({
  f: [`app:any:${id}`],
  sort: "name",
  size: "100",
  count: "none" as const,
});

/** The newest transactions on a user's page. */
export const transactionsOfUser = (id: string) => ({
  f: [`user:any:${id}`],
  size: "25",
  count: "capped" as const,
});

/** The promotions on the home screen. */
export const runningPromotions = { f: ["status:any:running"], count: "none" as const };

/** The waiting requests on the approvals page. */
export const waitingApprovals = { f: ["status:any:waiting"], size: "50", count: "none" as const };

/** Every page. The server answers 200 for these paths and 404 for all others. */
export const routes = {
  "/login": { title: "Sign in", payload: [] },
  "/": {
    title: "Home",
    guard: "auth",
    payload: [
      { path: "/reports/summary" },
      { path: "/reports/revenue", query: () => ({ group: "package" }) },
      { path: "/home/attention" },
      { path: "/home/setup" },
      { path: "/promotions", query: () => runningPromotions },
      { path: "/activity/actions" },
      ...menu,
    ],
  },
  "/apps": page("Apps", "apps:read", [{ path: "/apps", list: true }, { path: "/apps/counts" }]),
  "/apps/create": page("New app", "apps:write"),
  "/apps/edit/$id": page("Edit app", "apps:write", [{ path: "/apps/:id" }]),
  "/apps/view/$id": page("App", "apps:read", [
    { path: "/apps/:id" },
    { path: "/apps/:id/keys", tab: null },
    { path: "/features", tab: null, query: ({ id = "" }) => featuresOfApp(id) },
    { path: "/apps/:id/integration", tab: "integration", search: ["period", "key"] },
    { path: "/features", tab: "integration", query: ({ id = "" }) => testableFeatures(id) },
    { path: "/apps/:id/activity", tab: "activity" },
    { path: "/apps/:id/comments", tab: "activity" },
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
    { path: "/features/:id/comments", tab: "activity" },
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
    { path: "/packages/:id/subscribers", tab: null },
    { path: "/packages/:id/activity", tab: "activity" },
    { path: "/packages/:id/comments", tab: "activity" },
  ]),
  "/package/apps/$id": page("Apps of a package", "packages:read", [
    { path: "/packages/:id/matrix", search: ["with"] },
  ]),
  "/package/publish/$id": {
    ...page("Publish package", "packages:write", [
      { path: "/packages/:id" },
      { path: "/packages/:id/versions" },
    ]),
    addition: true,
  },
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
    { path: "/transactions/:id/documents", tab: null },
    { path: "/transactions/:id/activity", tab: "activity" },
    { path: "/transactions/:id/comments", tab: "activity" },
  ]),
  "/users": page("Users", "users:read", [
    { path: "/users", list: true },
    { path: "/users/counts" },
  ]),
  "/users/create": page("New user", "users:write"),
  "/users/edit/$id": page("Edit user", "users:write", [{ path: "/users/:id" }]),
  "/users/view/$id": page("User", "users:read", [
    { path: "/users/:id" },
    { path: "/users/:id/summary" },
    { path: "/users/:id/subscriptions" },
    { path: "/users/:id/balance" },
    { path: "/users/:id/notes" },
    { path: "/users/:id/denials" },
    { path: "/users/:id/usage", tab: "usage" },
    { path: "/users/:id/documents", tab: "documents" },
    {
      path: "/transactions",
      tab: "payments",
      query: ({ id = "" }) => transactionsOfUser(id),
    },
    { path: "/users/:id/activity", tab: "activity" },
  ]),
  "/reports": { ...page("Reports", "reports:read"), addition: true },
  "/catalog": { ...page("Catalog as code", "packages:read"), addition: true },
  "/import": { ...page("Import", "imports:write", [{ path: "/imports" }]), addition: true },
  "/import/$id": {
    ...page("Import", "imports:write", [{ path: "/imports/:id" }]),
    addition: true,
  },
  "/webhook": {
    ...page("Webhooks", "webhooks:read", [
      { path: "/webhook-endpoints" },
      { path: "/webhook-deliveries", list: true },
    ]),
    addition: true,
  },
  "/settings": {
    ...page("Settings", "settings:read", [
      { path: "/settings" },
      { path: "/tax-rates" },
      { path: "/settings/activity" },
    ]),
    addition: true,
  },
  "/system": {
    ...page("System", "jobs:read", [{ path: "/system" }, { path: "/jobs/failed" }]),
    addition: true,
  },
  "/roles": { ...page("Team & roles", "team:read", [{ path: "/roles" }]), addition: true },
  "/audit": {
    ...page("History", "audit:read", [
      { path: "/audit/actions", search: ["f"] },
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

/** Earlier paths of pages that are not in the specification. The server redirects them. */
export const renamedPages: Readonly<Record<string, RoutePath>> = { "/catalogue": "/catalog" };

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
  /** The canonical path; other spellings are redirected to it. */
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
      // A browser resolves dots as path segments, so they can't be ids.
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

/** The page of a path, used by both server and web. */
export const matchPage = (pathname: string): PageMatch | null => {
  // Two leading slashes would mean another host.
  if (!pathname.startsWith("/") || pathname.startsWith("//")) return null;
  const given = segmentsOf(pathname);
  for (const route of known) {
    const match = matchOne(route, given);
    if (match) return match;
  }
  return null;
};
