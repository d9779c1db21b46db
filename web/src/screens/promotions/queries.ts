import type { Wire } from "@purser/contract/http/endpoint";
import { getPackage, listPackages } from "@purser/contract/packages/endpoints";
import { runningPromotions } from "@purser/contract/pages/routes";
import {
  countPromotions,
  getPromotion,
  getPromotionCustomers,
  getPromotionResults,
  listOverlapping,
  listPromotions,
} from "@purser/contract/promotions/endpoints";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import type { Asked } from "#ui/list/declaration.ts";
import type { Related, Relation } from "#ui/record/relation.ts";

export type Promotion = Wire<typeof getPromotion>["reply"];
type Package = Wire<typeof getPackage>["reply"];

/** Promotions have no page of their own; they are shown in the list's preview. */
export const shownAt = ({ id }: Pick<Promotion, "id">) => `/promotion?preview=${id}`;
export const editedAt = ({ id }: Pick<Promotion, "id">) => `/promotion/edit/${id}`;

export const readPromotions = (query: Asked, signal: AbortSignal) =>
  call(listPromotions, { query, signal });

export const readPromotion = (id: string) => call(getPromotion, { params: { id } });

export const promotionQuery = (id: string) =>
  queryOptions({ queryKey: ["promotions", "one", id], queryFn: () => readPromotion(id) });

export const countsQuery = queryOptions({
  queryKey: ["promotions", "counts"],
  queryFn: () => call(countPromotions),
});

export const customersQuery = (id: string) =>
  queryOptions({
    queryKey: ["promotions", "customers", id],
    queryFn: async () => (await call(getPromotionCustomers, { params: { id } })).items,
  });

export const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: ["promotions", "results", id],
    queryFn: () => call(getPromotionResults, { params: { id } }),
  });

export const overlappingQuery = (query: { from: string; to: string; except?: string }) =>
  queryOptions({
    queryKey: ["promotions", "overlapping", query],
    queryFn: async ({ signal }) => (await call(listOverlapping, { query, signal })).items,
    placeholderData: keepPreviousData,
  });

const relatedOf = ({ id, name, code }: Package): Related => ({ id, name, code });

/** Searches packages that a promotion can apply to, by name or code. */
const packagesToChoose = (filters: string[]): Relation => ({
  name: "packages",
  scope: filters.join(),
  find: async (typed, signal) => {
    const query = typed ? { q: typed, sort: "name" } : { sort: "sort" };
    const asked = { ...query, f: filters, size: "25", count: "none" as const };
    const { items } = await call(listPackages, { query: asked, signal });
    return items.map(relatedOf);
  },
  read: async (id) => relatedOf(await call(getPackage, { params: { id } })),
});

export const anyPackage = packagesToChoose([]);
export const usablePackage = packagesToChoose(["status:none:archived"]);

/** After a save: stores the reply and refetches everything that shows promotions. */
export const promotionSaved = (promotion: Promotion) => {
  queryClient.setQueryData(promotionQuery(promotion.id).queryKey, promotion);
  void promotionsChanged();
};

export const promotionsChanged = () => queryClient.invalidateQueries({ queryKey: ["promotions"] });

/** The promotions that ended in a period. */
export const endedQuery = ({ from, until }: { from: string; until: string }) => {
  const f = ["status:any:ended", `endsAt:between:${from},${until}`];
  return queryOptions({
    queryKey: ["promotions", "ended", from, until],
    queryFn: ({ signal }) => call(listPromotions, { query: { f, count: "none" }, signal }),
    staleTime: 60_000,
  });
};

/** The promotions that customers can use now. */
export const runningQuery = queryOptions({
  queryKey: ["promotions", "running"],
  queryFn: ({ signal }) => call(listPromotions, { query: runningPromotions, signal }),
});
