import {
  countFeatures,
  getFeature,
  getFeatureImpact,
  listFeatures,
  listFeatureUses,
} from "@purser/contract/features/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { featuresOfApp } from "@purser/contract/pages/routes";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import type { Asked } from "#ui/list/declaration.ts";
import type { Related, Relation } from "#ui/record/relation.ts";

export type Feature = Wire<typeof getFeature>["reply"];
export type FeatureUse = Wire<typeof listFeatureUses>["reply"]["items"][number];

export const linkOf = ({ id }: Pick<Feature, "id">) => `/feature/view/${id}`;

export const readFeatures = (query: Asked, signal: AbortSignal) =>
  call(listFeatures, { query, signal });

export const readFeature = (id: string) => call(getFeature, { params: { id } });

export const featureQuery = (id: string) =>
  queryOptions({ queryKey: ["features", "one", id], queryFn: () => readFeature(id) });

const relatedOf = ({ id, name, app }: Feature): Related => ({
  id,
  name,
  code: app.name,
  icon: app.icon,
});

/** Features that can be granted to a customer. */
export const usableFeature: Relation = {
  name: "features",
  scope: "usable",
  find: async (typed, signal) => {
    const query = typed ? { q: typed, sort: "name" } : { sort: "-updatedAt" };
    const filters = ["status:any:active"];
    const asked = { ...query, f: filters, size: "25", count: "none" } as const;
    return (await readFeatures(asked, signal)).items.map(relatedOf);
  },
  read: async (id) => relatedOf(await readFeature(id)),
};

export const countsQuery = queryOptions({
  queryKey: ["features", "counts"],
  queryFn: () => call(countFeatures),
});

/** The first features of an app, and their total. */
export const featuresOfAppQuery = (id: string) =>
  queryOptions({
    queryKey: ["features", "ofApp", id],
    queryFn: ({ signal }) => call(listFeatures, { query: featuresOfApp(id), signal }),
  });

export const usesQuery = (id: string) =>
  queryOptions({
    queryKey: ["features", "uses", id],
    queryFn: async () => (await call(listFeatureUses, { params: { id } })).items,
  });

/** What archiving these features affects now. */
export const impactQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ["features", "impact", ids],
    queryFn: () => call(getFeatureImpact, { query: { ids: ids.join() } }),
    // Always read again, because the numbers are confirmed.
    gcTime: 0,
  });

/** After a save: stores the reply and refetches everything that shows features. */
export const featureSaved = (feature: Feature) => {
  queryClient.setQueryData(featureQuery(feature.id).queryKey, feature);
  void featuresChanged();
};

export const featuresChanged = () => queryClient.invalidateQueries({ queryKey: ["features"] });
