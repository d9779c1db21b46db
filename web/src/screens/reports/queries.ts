import type { Wire } from "@purser/contract/http/endpoint";
import { getAppShare, getRevenue, getSummary } from "@purser/contract/reports/endpoints";
import { getSetup } from "@purser/contract/reports/home";
import { getMrr, getRetention, listMovements } from "@purser/contract/reports/recurring";
import {
  listActiveSubscribers,
  type listRetained,
  listRevenueRows,
  listShareRows,
} from "@purser/contract/reports/rows";
import { listSavedReports } from "@purser/contract/reports/saved";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

// A job adds new payments every minute, so asking more often shows nothing new.
const freshMs = 60_000;

type Asked<Query> = Query extends undefined ? never : NonNullable<Query>;

export const summaryQuery = (query: Asked<Wire<typeof getSummary>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "summary", query],
    queryFn: ({ signal }) => call(getSummary, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });
export type Summary = Wire<typeof getSummary>["reply"];

export const revenueQuery = (query: Asked<Wire<typeof getRevenue>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "revenue", query],
    queryFn: ({ signal }) => call(getRevenue, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });
export type Revenue = Wire<typeof getRevenue>["reply"];

export const mrrQuery = (query: Asked<Wire<typeof getMrr>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "mrr", query],
    queryFn: ({ signal }) => call(getMrr, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });
export type Mrr = Wire<typeof getMrr>["reply"];

export const movementsQuery = (query: Asked<Wire<typeof listMovements>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "movements", query],
    queryFn: ({ signal }) => call(listMovements, { query, signal }),
    staleTime: freshMs,
  });

export const revenueRowsQuery = (query: Asked<Wire<typeof listRevenueRows>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "rows", query],
    queryFn: ({ signal }) => call(listRevenueRows, { query, signal }),
    staleTime: freshMs,
  });
export type RevenueRows = Wire<typeof listRevenueRows>["reply"];

export const subscribersQuery = (query: Asked<Wire<typeof listActiveSubscribers>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "subscribers", query],
    queryFn: ({ signal }) => call(listActiveSubscribers, { query, signal }),
    staleTime: freshMs,
  });
export type SubscriberPage = Wire<typeof listActiveSubscribers>["reply"];
export type RetainedPage = Wire<typeof listRetained>["reply"];

export const retentionQuery = (query: Asked<Wire<typeof getRetention>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "retention", query],
    queryFn: ({ signal }) => call(getRetention, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });
export type Retention = Wire<typeof getRetention>["reply"];

export const appShareQuery = (query: Asked<Wire<typeof getAppShare>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "app-share", query],
    queryFn: ({ signal }) => call(getAppShare, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });
export type AppShare = Wire<typeof getAppShare>["reply"];

export const shareRowsQuery = (query: Asked<Wire<typeof listShareRows>["query"]>) =>
  queryOptions({
    queryKey: ["reports", "share-rows", query],
    queryFn: ({ signal }) => call(listShareRows, { query, signal }),
    staleTime: freshMs,
  });
export type ShareRows = Wire<typeof listShareRows>["reply"];

export const setupQuery = queryOptions({
  queryKey: ["reports", "setup"],
  queryFn: ({ signal }) => call(getSetup, { signal }),
});

export const savedQuery = queryOptions({
  queryKey: ["reports", "saved"],
  queryFn: ({ signal }) => call(listSavedReports, { signal }),
});
export type Saved = Wire<typeof listSavedReports>["reply"]["items"][number];
