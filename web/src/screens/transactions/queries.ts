import {
  listCustomerDocuments,
  listTransactionDocuments,
} from "@purser/contract/documents/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { getBalance } from "@purser/contract/money/balance";
import { getSubscription, previewChange } from "@purser/contract/subscriptions/endpoints";
import { previewRefund } from "@purser/contract/transactions/actions";
import {
  getTransaction,
  listTransactions,
  sumTransactions,
} from "@purser/contract/transactions/endpoints";
import { quoteSale } from "@purser/contract/transactions/sales";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import type { Asked, ListSums } from "#ui/list/declaration.ts";

export type Transaction = Wire<typeof listTransactions>["reply"]["items"][number];
export type Details = Wire<typeof getTransaction>["reply"];
export type SaleQuote = Wire<typeof quoteSale>["reply"];
export type SaleBody = Wire<typeof quoteSale>["body"];
export type Subscription = Wire<typeof getSubscription>["reply"];
export type ChangeBody = Wire<typeof previewChange>["body"];
export type ChangePlan = Wire<typeof previewChange>["reply"];
export type RefundBody = Wire<typeof previewRefund>["body"];
export type Balance = Wire<typeof getBalance>["reply"];
export type RefundPreview = Wire<typeof previewRefund>["reply"];

export const linkOf = ({ id }: Pick<Transaction, "id">): string => `/transaction/view/${id}`;

export const readTransactions = (query: Asked, signal: AbortSignal) =>
  call(listTransactions, { query, signal });

export const sumRows: ListSums["read"] = (query, signal) =>
  call(sumTransactions, { query, signal });

export const readTransaction = (id: string) => call(getTransaction, { params: { id } });

/** A key apart from list rows, because those have fewer fields. */
export const detailsQuery = (id: string) =>
  queryOptions({ queryKey: ["transactions", "details", id], queryFn: () => readTransaction(id) });

/** The server keeps the amounts of a preview this long. An open dialog gets new ones before. */
export const previewMs = 15 * 60_000;
const refetchInterval = 10 * 60_000;

/** What a refund would return; requested once its amounts are valid. */
export const refundQuery = (id: string, body: RefundBody | null) =>
  queryOptions({
    queryKey: ["transactions", "refund", id, body],
    queryFn: ({ signal }) =>
      call(previewRefund, { params: { id }, body: body as RefundBody, signal }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/** The price and effect of a sale; requested once all inputs are known. */
export const quoteQuery = (body: SaleBody | null) =>
  queryOptions({
    queryKey: ["transactions", "quote", body],
    queryFn: ({ signal }) => call(quoteSale, { body: body as SaleBody, signal }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  });

export const transactionDocumentsQuery = (id: string) =>
  queryOptions({
    queryKey: ["transactions", "documents", id],
    queryFn: () => call(listTransactionDocuments, { params: { id } }),
  });

export const customerDocumentsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["transactions", "documents of", userId],
    queryFn: () => call(listCustomerDocuments, { params: { id: userId } }),
  });

/** A customer's balance by currency, and its latest changes. */
export const balanceQuery = (userId: string) =>
  queryOptions({
    queryKey: ["transactions", "balance", userId],
    queryFn: () => call(getBalance, { params: { id: userId } }),
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
    refetchInterval,
  });

/** After an action: refetches everything that shows transactions, subscriptions or access. */
export const transactionsChanged = async () => {
  for (const name of ["packages", "users", "access"])
    void queryClient.invalidateQueries({ queryKey: [name] });
  await queryClient.invalidateQueries({ queryKey: ["transactions"] });
};
