import { getEntitlements, testCheck } from "@purser/contract/entitlements/explanation";
import type { Wire } from "@purser/contract/http/endpoint";
import { listGrants, previewMerge, previewTransfer } from "@purser/contract/users/merge";
import { getFeatureOffer } from "@purser/contract/users/summary";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type Explanation = Wire<typeof getEntitlements>["reply"];
export type Explained = Explanation["items"][number];
export type Line = Explained["lines"][number];
export type HeldGrant = Wire<typeof listGrants>["reply"]["items"][number];

/** A customer's entitlements now, or as of a moment. */
export const explanationQuery = (id: string, at: string | undefined) =>
  queryOptions({
    queryKey: ["access", "of", id, at ?? "now"],
    queryFn: () => call(getEntitlements, { params: { id }, query: at === undefined ? {} : { at } }),
    placeholderData: keepPreviousData,
  });

/** The same in one app, if the company has too many to show them all. */
export const explanationInAppQuery = (id: string, at: string | undefined, app: string) =>
  queryOptions({
    queryKey: ["access", "of", id, at ?? "now", app],
    queryFn: () =>
      call(getEntitlements, { params: { id }, query: { app, ...(at !== undefined && { at }) } }),
    enabled: app !== "",
  });

export const answerQuery = (id: string, app: string, feature: string) =>
  queryOptions({
    queryKey: ["access", "asked", id, app, feature],
    queryFn: () => call(testCheck, { params: { id }, query: { app, feature } }),
    enabled: feature !== "",
    placeholderData: keepPreviousData,
  });

/** The package to offer to a customer who doesn't have a feature. */
export const offerQuery = (id: string, featureId: string) =>
  queryOptions({
    queryKey: ["access", "offer", id, featureId],
    queryFn: async () =>
      (await call(getFeatureOffer, { params: { id }, query: { featureId } })).offer,
  });

export const grantsQuery = (id: string) =>
  queryOptions({
    queryKey: ["access", "grants", id],
    queryFn: async () => (await call(listGrants, { params: { id } })).items,
  });

/** A preview of the transfer; requested once something is selected. */
export const transferQuery = (id: string, email: string, grantIds: string[]) =>
  queryOptions({
    queryKey: ["access", "transfer", id, email, grantIds],
    queryFn: ({ signal }) =>
      call(previewTransfer, { params: { id }, body: { email, grantIds }, signal }),
    enabled: email !== "" && grantIds.length > 0,
    retry: false,
  });

export const mergeQuery = (id: string, other: string) =>
  queryOptions({
    queryKey: ["access", "merge", id, other],
    queryFn: ({ signal }) => call(previewMerge, { params: { id }, body: { other }, signal }),
    enabled: other !== "",
    retry: false,
  });

/** After an action: refetches everything that shows access. */
export const accessChanged = async () => {
  for (const name of ["users", "transactions", "packages"])
    void queryClient.invalidateQueries({ queryKey: [name] });
  await queryClient.invalidateQueries({ queryKey: ["access"] });
};
