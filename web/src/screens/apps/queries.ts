import { countApps, getApp, listAppKeys, listApps } from "@purser/contract/apps";
import { getAppActivity } from "@purser/contract/audit";
import type { Wire } from "@purser/contract/endpoint";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { client } from "#lib/client.ts";
import type { Asked } from "#ui/list/declaration.ts";

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

export const activityQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["apps", "activity", id],
    queryFn: ({ pageParam }) =>
      call(getAppActivity, { params: { id }, query: pageParam ? { after: pageParam } : {} }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

/** After a save of our own: this app as it is now, and everything that shows apps again. */
export const appSaved = (app: App) => {
  client.setQueryData(appQuery(app.id).queryKey, app);
  void client.invalidateQueries({ queryKey: ["apps"] });
};

export const appsChanged = () => client.invalidateQueries({ queryKey: ["apps"] });
