import type { Wire } from "@purser/contract/http/endpoint";
import type { ListQuery } from "@purser/contract/pages/listSearch";
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
} from "@purser/contract/workspace/webhooks";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type Endpoint = Wire<typeof listWebhookEndpoints>["reply"]["items"][number];
export type Delivery = Wire<typeof listWebhookDeliveries>["reply"]["items"][number];
export type Details = Wire<typeof getWebhookDelivery>["reply"];

// Workers send too much to announce each change, so the page polls.
const againMs = 3000;

export const endpointsQuery = queryOptions({
  queryKey: ["webhooks", "endpoints"],
  queryFn: async () => (await call(listWebhookEndpoints)).items,
  refetchInterval: againMs,
});

export const deliveriesQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ["webhooks", "log", query],
    queryFn: ({ signal }) =>
      call(listWebhookDeliveries, { query: { ...query, count: "capped" }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", "delivery", id],
    queryFn: () => call(getWebhookDelivery, { params: { id } }),
    refetchInterval: againMs,
  });

/** After an action: refetches everything on the page. */
export const webhooksChanged = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] });
