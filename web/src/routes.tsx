import { parseSearch } from "@purser/contract/http/url";
import { matchPage, type RoutePath, routes } from "@purser/contract/pages/routes";
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { queryClient } from "#lib/api/queryClient.ts";
import { loadChunk } from "#lib/page/chunks.ts";
import { newerRelease } from "#lib/page/newRelease.ts";
import { mayReload } from "#lib/page/reloadGuard.ts";
import { runtime } from "#lib/page/runtime.ts";
import { stringifySearch } from "#lib/page/searchParams.ts";
import { sessionQuery } from "#lib/session/session.ts";
import { signInMethodsQuery } from "#lib/session/signInMethods.ts";
import { auth } from "#shell/auth.ts";
import { ErrorPage, NotFoundPage } from "#shell/errors/ErrorPage.tsx";
import { Layout } from "#shell/Layout.tsx";
import { destinationOf } from "#shell/signIn/destination.ts";
import { readApprovalSearch } from "./screens/approvals/search.ts";
import { readAppSearch } from "./screens/apps/tabs.ts";
import { readFeatureTab } from "./screens/features/tabs.ts";
import { readImportKind, readImportSearch } from "./screens/imports/search.ts";
import { readUserSearch } from "./screens/users/tabs.ts";

/** The document is being replaced, so nothing else may render. */
const forEver = new Promise<never>(() => undefined);

const root = createRootRoute({
  component: Layout,
  notFoundComponent: () => <NotFoundPage />,
  beforeLoad: ({ location: { pathname }, preload }) => {
    if (!matchPage(pathname)) throw notFound();
    const from = router.state.resolvedLocation?.pathname;
    const isOtherPage = from !== undefined && from !== pathname;
    if (preload || !isOtherPage || newerRelease() === null) return;
    if (!mayReload(location.pathname, runtime.reloadGuardMs)) return;
    location.reload();
    return forEver;
  },
});

const guards = { auth };

/** The router's options for a page of the route table. */
const pageAt = <Path extends RoutePath>(path: Path) => {
  const route = routes[path];
  return {
    getParentRoute: () => root,
    path,
    ...("guard" in route && { beforeLoad: guards[route.guard] }),
  } as const;
};

/** Loads the code of a screen when its page is opened. */
const screen = <Screens extends Record<string, unknown>, Name extends keyof Screens>(
  load: () => Promise<Screens>,
  name: Name,
) => lazyRouteComponent(() => loadChunk(load), name);

type Search = Record<string, string | string[] | undefined>;
const anySearch = (search: Search): Search => search;
const oneOf = (value: string | string[] | undefined) => [value].flat()[0];

/** A record ID in the query string. */
const withId = <Name extends string>(name: Name, value: string | string[] | undefined) => {
  const id = oneOf(value);
  return (id === undefined ? {} : { [name]: id }) as { [Key in Name]?: string };
};

/** The selected tab of a record page. */
const readTab = ({ tab }: Search): { tab?: "activity" | "raw" } =>
  tab === "activity" || tab === "raw" ? { tab } : {};

/** The parameters that the identity provider sends back. */
const answerKeys = ["state", "code", "iss", "error"] as const;
type CompanyAnswer = { [Key in (typeof answerKeys)[number]]?: string };

const answerIn = (search: Search): CompanyAnswer =>
  Object.fromEntries(
    answerKeys.flatMap((key) => {
      const value = oneOf(search[key]);
      return value === undefined ? [] : [[key, value]];
    }),
  );

const login = createRoute({
  ...pageAt("/login"),
  validateSearch: (search: Search): { redirect?: string } & CompanyAnswer => ({
    ...withId("redirect", search["redirect"]),
    ...answerIn(search),
  }),
  // Links from emails and replies of the identity provider are handled even with a session.
  beforeLoad: async ({ search, location }) => {
    const ways = queryClient.ensureQueryData(signInMethodsQuery);
    if (location.hash.startsWith("set-password=") || search.state !== undefined) return;
    if (await queryClient.ensureQueryData(sessionQuery))
      throw redirect({ href: destinationOf(search.redirect) });
    // Loaded before rendering, so that no disabled sign-in method flashes up.
    await ways;
  },
  component: screen(() => import("./screens/login/Login.tsx"), "Login"),
});

const home = createRoute({
  ...pageAt("/"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/home/Home.tsx"), "Home"),
});

const reports = createRoute({
  ...pageAt("/reports"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/reports/Reports.tsx"), "Reports"),
});

const apps = createRoute({
  ...pageAt("/apps"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/apps/List.tsx"), "AppList"),
});

const createApp = createRoute({
  ...pageAt("/apps/create"),
  validateSearch: ({ from }: Search): { from?: string } => withId("from", from),
  component: screen(() => import("./screens/apps/Create.tsx"), "CreateApp"),
});

const editApp = createRoute({
  ...pageAt("/apps/edit/$id"),
  component: screen(() => import("./screens/apps/Edit.tsx"), "EditApp"),
});

const viewApp = createRoute({
  ...pageAt("/apps/view/$id"),
  validateSearch: readAppSearch,
  component: screen(() => import("./screens/apps/View.tsx"), "ViewApp"),
});

const features = createRoute({
  ...pageAt("/feature"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/features/List.tsx"), "FeatureList"),
});

const createFeature = createRoute({
  ...pageAt("/feature/create"),
  validateSearch: ({ from, app }: Search): { from?: string; app?: string } => ({
    ...withId("from", from),
    ...withId("app", app),
  }),
  component: screen(() => import("./screens/features/Create.tsx"), "CreateFeature"),
});

const editFeature = createRoute({
  ...pageAt("/feature/edit/$id"),
  component: screen(() => import("./screens/features/Edit.tsx"), "EditFeature"),
});

const viewFeature = createRoute({
  ...pageAt("/feature/view/$id"),
  validateSearch: readFeatureTab,
  component: screen(() => import("./screens/features/View.tsx"), "ViewFeature"),
});

const packages = createRoute({
  ...pageAt("/package"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/packages/List.tsx"), "PackageList"),
});

const createPackage = createRoute({
  ...pageAt("/package/create"),
  validateSearch: ({ from }: Search): { from?: string } => withId("from", from),
  component: screen(() => import("./screens/packages/Create.tsx"), "CreatePackage"),
});

const editPackage = createRoute({
  ...pageAt("/package/edit/$id"),
  component: screen(() => import("./screens/packages/Edit.tsx"), "EditPackage"),
});

const viewPackage = createRoute({
  ...pageAt("/package/view/$id"),
  validateSearch: readTab,
  component: screen(() => import("./screens/packages/View.tsx"), "ViewPackage"),
});

const packageApps = createRoute({
  ...pageAt("/package/apps/$id"),
  validateSearch: ({ with: others }: Search): { with?: string } => {
    const ids = oneOf(others);
    return ids === undefined ? {} : { with: ids };
  },
  // Comparing with other packages doesn't remount the page, so unsaved changes are kept.
  component: screen(() => import("./screens/packages/matrix/PackageApps.tsx"), "PackageApps"),
});

const publishPackage = createRoute({
  ...pageAt("/package/publish/$id"),
  component: screen(() => import("./screens/packages/Publish.tsx"), "PublishPackage"),
});

const promotions = createRoute({
  ...pageAt("/promotion"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/promotions/List.tsx"), "PromotionList"),
});

const createPromotion = createRoute({
  ...pageAt("/promotion/create"),
  validateSearch: ({ from }: Search): { from?: string } => withId("from", from),
  component: screen(() => import("./screens/promotions/Create.tsx"), "CreatePromotion"),
});

const editPromotion = createRoute({
  ...pageAt("/promotion/edit/$id"),
  component: screen(() => import("./screens/promotions/Edit.tsx"), "EditPromotion"),
});

const transactions = createRoute({
  ...pageAt("/transaction"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/transactions/List.tsx"), "TransactionList"),
});

const createTransaction = createRoute({
  ...pageAt("/transaction/create"),
  validateSearch: ({ email, package: pack }: Search): { email?: string; package?: string } => ({
    ...(typeof email === "string" && { email }),
    ...withId("package", pack),
  }),
  component: screen(() => import("./screens/transactions/Create.tsx"), "CreateTransaction"),
});

const editTransaction = createRoute({
  ...pageAt("/transaction/edit/$id"),
  component: screen(() => import("./screens/transactions/Edit.tsx"), "EditTransaction"),
});

const viewTransaction = createRoute({
  ...pageAt("/transaction/view/$id"),
  validateSearch: readTab,
  component: screen(() => import("./screens/transactions/View.tsx"), "ViewTransaction"),
});

const users = createRoute({
  ...pageAt("/users"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/users/List.tsx"), "UserList"),
});

const createUser = createRoute({
  ...pageAt("/users/create"),
  component: screen(() => import("./screens/users/Create.tsx"), "CreateUser"),
});

const editUser = createRoute({
  ...pageAt("/users/edit/$id"),
  component: screen(() => import("./screens/users/Edit.tsx"), "EditUser"),
});

const viewUser = createRoute({
  ...pageAt("/users/view/$id"),
  validateSearch: readUserSearch,
  component: screen(() => import("./screens/users/View.tsx"), "ViewUser"),
});

const catalog = createRoute({
  ...pageAt("/catalog"),
  component: screen(() => import("./screens/catalog/Catalog.tsx"), "Catalog"),
});

const imports = createRoute({
  ...pageAt("/import"),
  validateSearch: readImportKind,
  component: screen(() => import("./screens/imports/Imports.tsx"), "Imports"),
});

const viewImport = createRoute({
  ...pageAt("/import/$id"),
  validateSearch: readImportSearch,
  component: screen(() => import("./screens/imports/Import.tsx"), "ViewImport"),
});

const webhooks = createRoute({
  ...pageAt("/webhook"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/webhooks/Webhooks.tsx"), "Webhooks"),
});

const settings = createRoute({
  ...pageAt("/settings"),
  component: screen(() => import("./screens/settings/Settings.tsx"), "Settings"),
});

const system = createRoute({
  ...pageAt("/system"),
  component: screen(() => import("./screens/system/System.tsx"), "System"),
});

const roles = createRoute({
  ...pageAt("/roles"),
  validateSearch: ({ member, invite }: Search): { member?: string; invite?: string } => ({
    ...withId("member", member),
    ...withId("invite", invite),
  }),
  component: screen(() => import("./screens/users/team/Roles.tsx"), "Roles"),
});

const auditLog = createRoute({
  ...pageAt("/audit"),
  validateSearch: anySearch,
  component: screen(() => import("./screens/audit/History.tsx"), "AuditLog"),
});

const approvals = createRoute({
  ...pageAt("/approvals"),
  validateSearch: readApprovalSearch,
  component: screen(() => import("./screens/approvals/Approvals.tsx"), "Approvals"),
});

const account = createRoute({
  ...pageAt("/account"),
  component: screen(() => import("./screens/account/Account.tsx"), "Account"),
});

/** The type requires a screen for every page of the route table. */
const pages = {
  "/login": login,
  "/": home,
  "/reports": reports,
  "/apps": apps,
  "/apps/create": createApp,
  "/apps/edit/$id": editApp,
  "/apps/view/$id": viewApp,
  "/feature": features,
  "/feature/create": createFeature,
  "/feature/edit/$id": editFeature,
  "/feature/view/$id": viewFeature,
  "/package": packages,
  "/package/create": createPackage,
  "/package/edit/$id": editPackage,
  "/package/view/$id": viewPackage,
  "/package/apps/$id": packageApps,
  "/package/publish/$id": publishPackage,
  "/promotion": promotions,
  "/promotion/create": createPromotion,
  "/promotion/edit/$id": editPromotion,
  "/transaction": transactions,
  "/transaction/create": createTransaction,
  "/transaction/edit/$id": editTransaction,
  "/transaction/view/$id": viewTransaction,
  "/users": users,
  "/users/create": createUser,
  "/users/edit/$id": editUser,
  "/users/view/$id": viewUser,
  "/catalog": catalog,
  "/import": imports,
  "/import/$id": viewImport,
  "/webhook": webhooks,
  "/settings": settings,
  "/system": system,
  "/roles": roles,
  "/audit": auditLog,
  "/approvals": approvals,
  "/account": account,
} satisfies Record<RoutePath, AnyRoute>;

const routeTree = root.addChildren(pages);

export const router = createRouter({
  routeTree,
  basepath: runtime.basePath || "/",
  parseSearch,
  stringifySearch,
  notFoundMode: "root",
  defaultErrorComponent: ({ error }) => <ErrorPage error={error as Error} />,
  // The server's "loading..." text is shown until the first screen is ready.
  defaultPendingMs: Number.POSITIVE_INFINITY,
  // Remounts for another record, so that nothing typed for one record appears in another.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: "intent",
  defaultPreloadDelay: 50,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The note that the page for publishing suggests. */
    note?: string;
  }
}
