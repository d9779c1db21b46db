import type { RoutePath } from "./pages/routes.ts";

type Entity = {
  /** The singular name, as in `appFields` and in sentences. */
  one: string;
  list: RoutePath;
  create: RoutePath;
  /** The page of one record. */
  page: RoutePath;
};

/**
 * The entities with a list and screens, by table. Live changes, the audit log, reverts and the tests that find
 * what a new entity still lacks use this table.
 */
export const entities = {
  apps: { one: "app", list: "/apps", create: "/apps/create", page: "/apps/view/$id" },
  features: {
    one: "feature",
    list: "/feature",
    create: "/feature/create",
    page: "/feature/view/$id",
  },
  packages: {
    one: "package",
    list: "/package",
    create: "/package/create",
    page: "/package/view/$id",
  },
  promotions: {
    one: "promotion",
    list: "/promotion",
    create: "/promotion/create",
    page: "/promotion/edit/$id",
  },
  transactions: {
    one: "transaction",
    list: "/transaction",
    create: "/transaction/create",
    page: "/transaction/view/$id",
  },
  users: { one: "user", list: "/users", create: "/users/create", page: "/users/view/$id" },
} as const satisfies Record<string, Entity>;

export type EntityName = keyof typeof entities;
export const entityNames = Object.keys(entities) as EntityName[];
