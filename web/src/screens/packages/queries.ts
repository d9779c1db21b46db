import { listSubscribers } from "@purser/contract/entitlements/grants";
import type { Wire } from "@purser/contract/http/endpoint";
import { countPackages, getPackage, listPackages } from "@purser/contract/packages/endpoints";
import { listRolloutMigrations, listRollouts } from "@purser/contract/packages/publishing";
import { getVersion, listVersions } from "@purser/contract/packages/versions";
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQuery,
} from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import type { Asked } from "#ui/list/declaration.ts";
import type { Related, Relation } from "#ui/record/relation.ts";

export type Package = Wire<typeof getPackage>["reply"];
export type Version = Wire<typeof listVersions>["reply"]["items"][number];
export type Contents = Wire<typeof getVersion>["reply"];
export type Rollout = Wire<typeof listRollouts>["reply"]["items"][number];
export type Migration = Wire<typeof listRolloutMigrations>["reply"]["items"][number];
export type Grant = Wire<typeof listSubscribers>["reply"]["items"][number];

export const linkOf = ({ id }: Pick<Package, "id">) => `/package/view/${id}`;

export const editOf = ({ id }: Pick<Package, "id">): string => `/package/edit/${id}`;

/** The page of the package's matrix. */
export const matrixOf = ({ id }: Pick<Package, "id">): string => `/package/apps/${id}`;

/** The page that reviews and publishes the package's draft. */
export const publishOf = ({ id }: Pick<Package, "id">): string => `/package/publish/${id}`;

export const readPackages = (query: Asked, signal: AbortSignal) =>
  call(listPackages, { query, signal });

export const readPackage = (id: string) => call(getPackage, { params: { id } });

const relatedOf = ({ id, name, code }: Package): Related => ({ id, name, code, icon: "package" });

const packagesToChoose = (
  scope: string,
  filters: string[],
  fits: (one: Package) => boolean,
): Relation => ({
  name: "packages",
  scope,
  find: async (typed, signal) => {
    const query = typed ? { q: typed, sort: "name" } : { sort: "-updatedAt" };
    const asked = { ...query, f: filters, size: "25", count: "none" } as const;
    return (await readPackages(asked, signal)).items.filter(fits).map(relatedOf);
  },
  read: async (id) => relatedOf(await readPackage(id)),
});

export const anyPackage = packagesToChoose("any", [], () => true);
/** Whether customers can buy or be granted the package. */
export const isSellable = ({ onSale }: Pick<Package, "onSale">) =>
  onSale !== null && onSale.archived.length === 0;

/** Packages on sale. */
export const soldPackage = packagesToChoose("sold", ["status:any:active"], isSellable);

export const packageQuery = (id: string) =>
  queryOptions({ queryKey: ["packages", "one", id], queryFn: () => readPackage(id) });

export const countsQuery = queryOptions({
  queryKey: ["packages", "counts"],
  queryFn: () => call(countPackages),
});

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["packages", "versions", id],
    queryFn: async () => (await call(listVersions, { params: { id } })).items,
  });

export const contentsQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: ["packages", "contents", id, number],
    queryFn: () => call(getVersion, { params: { id, number: String(number) } }),
  });

/** The version on sale, else the newest that was on sale, else the draft. */
export const shownVersion = (versions: Version[] | undefined) =>
  versions?.find(({ state }) => state === "on sale") ??
  versions?.find(({ state }) => state !== "draft" && state !== "scheduled") ??
  versions?.[0];

/** The content of the shown version, once both are loaded. */
export const useShownContents = (id: string) => {
  const { data: versions } = useQuery(versionsQuery(id));
  const number = shownVersion(versions)?.number;
  return useQuery({ ...contentsQuery(id, number ?? 0), enabled: number !== undefined });
};

/** Existing base packages, to suggest groups and to find the next one above. */
export const basesQuery = queryOptions({
  queryKey: ["packages", "bases"],
  queryFn: async ({ signal }) =>
    (
      await readPackages(
        { f: ["kind:any:base", "status:none:archived"], sort: "sort", size: "100", count: "none" },
        signal,
      )
    ).items,
});

/** Add-ons that can be sold together with a base package. */
export const addOnsQuery = queryOptions({
  queryKey: ["packages", "add-ons"],
  queryFn: async ({ signal }) => {
    const query = { f: ["kind:any:add-on", "status:any:active"], sort: "name", size: "100" };
    const { items } = await readPackages({ ...query, count: "none" }, signal);
    return items.filter(isSellable);
  },
});

export const rolloutsQuery = (id: string) =>
  queryOptions({
    queryKey: ["packages", "rollouts", id],
    queryFn: async () => (await call(listRollouts, { params: { id } })).items,
  });

export const migrationsQuery = (rolloutId: string) =>
  infiniteQueryOptions({
    queryKey: ["packages", "migrations", rolloutId],
    queryFn: ({ pageParam }) =>
      call(listRolloutMigrations, {
        params: { id: rolloutId },
        query: pageParam ? { after: pageParam } : {},
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

export const subscribersQuery = (id: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ["packages", "subscribers", id, q],
    queryFn: ({ pageParam, signal }) =>
      call(listSubscribers, {
        params: { id },
        query: { ...(q && { q }), ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

/** After a save: stores the reply and refetches everything that shows packages. */
export const packageSaved = (saved: Package) => {
  queryClient.setQueryData(packageQuery(saved.id).queryKey, saved);
  void packagesChanged();
};

export const packagesChanged = () => queryClient.invalidateQueries({ queryKey: ["packages"] });
