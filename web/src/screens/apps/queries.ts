import { countApps, getApp, getAppImpact, listApps } from "@purser/contract/apps/endpoints";
import { listAppKeys } from "@purser/contract/apps/keys";
import type { Wire } from "@purser/contract/http/endpoint";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import type { Asked } from "#ui/list/declaration.ts";
import { appStatus } from "#ui/record/appStatus.ts";
import { type Related, type Relation, relatedQuery } from "#ui/record/relation.ts";

export type App = Wire<typeof getApp>["reply"];
export type AppKey = Wire<typeof listAppKeys>["reply"]["items"][number];

export const linkOf = ({ id }: Pick<App, "id">) => `/apps/view/${id}`;

export const readApps = (query: Asked, signal: AbortSignal) => call(listApps, { query, signal });

export const readApp = (id: string) => call(getApp, { params: { id } });

export const appQuery = (id: string) =>
  queryOptions({ queryKey: ["apps", "one", id], queryFn: () => readApp(id) });

export const countsQuery = queryOptions({
  queryKey: ["apps", "counts"],
  queryFn: () => call(countApps),
});

export const keysQuery = (id: string) =>
  queryOptions({
    queryKey: ["apps", "keys", id],
    queryFn: async () => (await call(listAppKeys, { params: { id } })).items,
  });

/** What archiving or suspending these apps affects now. */
export const impactQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ["apps", "impact", ids],
    queryFn: () => call(getAppImpact, { query: { ids: ids.join() } }),
    // Always read again, because the numbers are confirmed.
    gcTime: 0,
  });

const relatedOf = (app: App): Related => ({
  id: app.id,
  name: app.name,
  code: app.code,
  icon: app.icon,
  status: appStatus(app),
});

/** Searches apps that other records can belong to, by name or code. */
const appsToChoose = (filters: string[]): Relation => ({
  name: "apps",
  scope: filters.join(),
  find: async (typed, signal) => {
    const query = typed ? { q: typed, sort: "name" } : { sort: "-updatedAt" };
    const { items } = await readApps({ ...query, f: filters, size: "10", count: "none" }, signal);
    return items.map(relatedOf);
  },
  read: async (id) => relatedOf(await readApp(id)),
});

export const anyApp = appsToChoose([]);
/** Archived apps can't get new features. */
export const usableApp = appsToChoose(["status:none:archived"]);

/** After a save: stores the reply and refetches everything that shows apps. */
export const appSaved = (app: App) => {
  queryClient.setQueryData(appQuery(app.id).queryKey, app);
  queryClient.setQueryData(relatedQuery(anyApp, app.id).queryKey, relatedOf(app));
  void queryClient.invalidateQueries({ queryKey: ["apps"] });
};

export const appsChanged = () => queryClient.invalidateQueries({ queryKey: ["apps"] });
