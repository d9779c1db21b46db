import { builtRoutes, matchPage, type Route, routes } from "@purser/contract/pages/routes";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from "@tanstack/react-router";
import { expect, test } from "vitest";

/** The specification's route table with each route's guard. */
const specified: Record<string, "public" | "auth" | "none listed"> = {
  "/login": "public",
  "/": "auth",
  "/apps": "auth",
  "/apps/create": "none listed",
  "/apps/edit/{id}": "none listed",
  "/apps/view/{id}": "auth",
  "/feature": "auth",
  "/feature/create": "none listed",
  "/feature/edit/{id}": "none listed",
  "/feature/view/{id}": "auth",
  "/package": "auth",
  "/package/create": "none listed",
  "/package/edit/{id}": "none listed",
  "/package/view/{id}": "auth",
  "/package/apps/{id}": "auth",
  "/promotion": "auth",
  "/promotion/create": "none listed",
  "/promotion/edit/{id}": "none listed",
  "/transaction": "auth",
  "/transaction/create": "none listed",
  "/transaction/edit/{id}": "none listed",
  "/transaction/view/{id}": "auth",
  "/users": "auth",
  "/users/create": "none listed",
  "/users/edit/{id}": "none listed",
  "/users/view/{id}": "auth",
};

const table: [string, Route][] = Object.entries(routes);
const own = table.filter(([, { addition }]) => !addition);

test("S2.R has the 26 routes of the specification and marks all others as additions", () => {
  expect(own.map(([path]) => path.replace("$id", "{id}"))).toEqual(Object.keys(specified));
  expect(own).toHaveLength(26);
  const guards = Object.values(specified);
  const amount = (guard: string) => guards.filter((one) => one === guard).length;
  expect([amount("auth"), amount("none listed"), amount("public")]).toEqual([13, 12, 1]);
});

test("S6.1 S6.3 guards every route except the login and requires a permission where records are shown", () => {
  expect(table.filter(([, { guard }]) => guard !== "auth").map(([path]) => path)).toEqual([
    "/login",
  ]);
  const free = table.filter(([, { permission }]) => !permission).map(([path]) => path);
  // Everyone sees the approvals they can decide or have requested.
  expect(free).toEqual(["/login", "/", "/approvals", "/account"]);
});

const root = createRootRoute();
const router = createRouter({
  routeTree: root.addChildren(
    builtRoutes.map((path) => createRoute({ getParentRoute: () => root, path })),
  ),
  history: createMemoryHistory(),
});

/** The route that the router matches. A partial match counts as none. */
const routed = (path: string) => {
  const [matchedRoutes, routeParams] = router.getMatchedRoutes(path);
  const found = matchedRoutes.at(-1)?.fullPath;
  return found === undefined || found === "" || "**" in routeParams ? null : found;
};

const pieces = [
  "",
  "apps",
  "APPS",
  "edit",
  "view",
  "create",
  "account",
  "login",
  "7",
  "a%2Fb",
  "%E4",
  "%",
  ".",
  "x",
];

test("S2.31 S2.34 matches the same page in server, contract and router", () => {
  const paths = pieces.flatMap((a) =>
    pieces.flatMap((b) => pieces.flatMap((c) => [`/${a}`, `/${a}/${b}`, `/${a}/${b}/${c}`])),
  );
  const differing = [...new Set(paths)].filter((path) => {
    // Never routed: the server redirects such spellings or answers 404.
    const match = matchPage(path);
    if (!match || match.canonical !== path) return false;
    return routed(path) !== match.path;
  });
  expect(differing).toEqual([]);
  for (const path of [
    "/nope",
    "/promotion/view/1",
    "/apps/edit",
    "/apps/edit/1/2",
    "/package/apps",
  ])
    expect([path, matchPage(path)]).toEqual([path, null]);
});
