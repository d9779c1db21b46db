import type { Wire } from "@purser/contract/http/endpoint";
import { getSubscription, previewChange } from "@purser/contract/subscriptions/endpoints";
import { previewRefund } from "@purser/contract/transactions/actions";
import { getTransaction, listTransactions } from "@purser/contract/transactions/endpoints";
import { quoteSale } from "@purser/contract/transactions/sales";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import type { Asked } from "#ui/list/declaration.ts";

export type Transaction = Wire<typeof listTransactions>["reply"]["items"][number];
export type Details = Wire<typeof getTransaction>["reply"];
export type SaleQuote = Wire<typeof quoteSale>["reply"];
export type SaleBody = Wire<typeof quoteSale>["body"];
export type Subscription = Wire<typeof getSubscription>["reply"];
export type ChangeBody = Wire<typeof previewChange>["body"];
type RefundBody = Wire<typeof previewRefund>["body"];

export const linkOf = ({ id }: Pick<Transaction, "id">): string => `/transaction/view/${id}`;

export const readTransactions = (query: Asked, signal: AbortSignal) =>
  call(listTransactions, { query, signal });

export const readTransaction = (id: string) => call(getTransaction, { params: { id } });

/** A key apart from list rows, because those have fewer fields. */
export const detailsQuery = (id: string) =>
  queryOptions({ queryKey: ["transactions", "details", id], queryFn: () => readTransaction(id) });

export const refundQuery = (id: string, body: RefundBody) =>
  queryOptions({
    queryKey: ["transactions", "refund", id, body],
    queryFn: ({ signal }) => call(previewRefund, { params: { id }, body, signal }),
    placeholderData: keepPreviousData,
  });

/** The price and effect of a sale; requested once all inputs are known. */
export const quoteQuery = (body: SaleBody | null) =>
  queryOptions({
    queryKey: ["transactions", "quote", body],
    queryFn: ({ signal }) => call(quoteSale, { body: body as SaleBody, signal }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  });

export const subscriptionQuery = (id: string | null) =>
  queryOptions({
    queryKey: ["transactions", "subscription", id],
    queryFn: () => call(getSubscription, { params: { id: id ?? "" } }),
    enabled: id !== null,
  });

/** The price of a change; requested once a package is chosen. */
export const changeQuery = (id: string, body: ChangeBody | null) =>
  queryOptions({
    queryKey: ["transactions", "change", id, body],
    queryFn: ({ signal }) =>
      call(previewChange, { params: { id }, body: body as ChangeBody, signal }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  });

/** After an action: refetches everything that shows transactions, subscriptions or access. */
export const transactionsChanged = async () => {
  void queryClient.invalidateQueries({ queryKey: ["packages"] });
  await queryClient.invalidateQueries({ queryKey: ["transactions"] });
};
