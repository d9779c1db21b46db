import { t } from "@lingui/core/macro";
import type { Wire } from "@purser/contract/http/endpoint";
import { listDenials } from "@purser/contract/integration/endpoints";
import { transactionsOfUser } from "@purser/contract/pages/routes";
import { listSubscriptions } from "@purser/contract/subscriptions/endpoints";
import { listTransactions } from "@purser/contract/transactions/endpoints";
import { countUsers, getUser, listUsers, sumUsers } from "@purser/contract/users/endpoints";
import { listUserNotes } from "@purser/contract/users/notes";
import { getUserSummary } from "@purser/contract/users/summary";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import type { Asked, ListSums } from "#ui/list/declaration.ts";
import { type Related, type Relation, relatedQuery } from "#ui/record/relation.ts";

export type User = Wire<typeof getUser>["reply"];
export type Summary = Wire<typeof getUserSummary>["reply"];
export type Subscription = Wire<typeof listSubscriptions>["reply"]["items"][number];

export const linkOf = ({ id }: Pick<User, "id">): string => `/users/view/${id}`;

export const nameOf = ({ name, email }: Pick<User, "name" | "email">) => name || email;

export const readUsers = (query: Asked, signal: AbortSignal) => call(listUsers, { query, signal });

export const sumRows: ListSums["read"] = (query, signal) => call(sumUsers, { query, signal });

export const readUser = (id: string) => call(getUser, { params: { id } });

export const userQuery = (id: string) =>
  queryOptions({ queryKey: ["users", "one", id], queryFn: () => readUser(id) });

export const countsQuery = queryOptions({
  queryKey: ["users", "counts"],
  queryFn: () => call(countUsers),
});

export const readNotes = async (id: string) =>
  (await call(listUserNotes, { params: { id } })).items;

export const notesQuery = (id: string) =>
  queryOptions({ queryKey: ["user_notes", "users", id], queryFn: () => readNotes(id) });

export const summaryQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", "summary", id],
    queryFn: () => call(getUserSummary, { params: { id } }),
  });

export const denialsQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", "denials", id],
    queryFn: async () => (await call(listDenials, { params: { id } })).items,
  });

export const subscriptionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", "subscriptions", id],
    queryFn: async () => (await call(listSubscriptions, { params: { id } })).items,
  });

/** The subscriptions that aren't ended, those of base packages before add-ons. */
export const runningOf = ({ packages }: User, subscriptions: readonly Subscription[]) => {
  // Those of a user are sorted by kind. A package without access is last.
  const placeOf = ({ package: { id } }: Subscription) => {
    const place = packages.findIndex((one) => one.id === id);
    return place < 0 ? packages.length : place;
  };
  return subscriptions
    .filter(({ status }) => status !== "ended")
    .toSorted((one, other) => placeOf(one) - placeOf(other));
};

/** A user's newest transactions; the key makes them refetch with all transactions. */
export const newestQuery = (id: string) =>
  queryOptions({
    queryKey: ["transactions", "of user", id],
    queryFn: () => call(listTransactions, { query: transactionsOfUser(id) }),
  });

const relatedOf = (user: User): Related => ({
  id: user.id,
  name: nameOf(user),
  code: user.email,
});

/** Searches all users in the same way as the list. */
export const anyUser: Relation = {
  name: "users",
  scope: "",
  hint: t`Name or email`,
  find: async (typed, signal) => {
    const query = typed ? { q: typed } : {};
    const { items } = await readUsers({ ...query, size: "10", count: "none" }, signal);
    return items.map(relatedOf);
  },
  read: async (id) => relatedOf(await readUser(id)),
};

export const usersChanged = () => queryClient.invalidateQueries({ queryKey: ["users"] });

/** After a save: stores the reply and refetches everything that shows users. */
export const userSaved = (user: User) => {
  queryClient.setQueryData(userQuery(user.id).queryKey, user);
  queryClient.setQueryData(relatedQuery(anyUser, user.id).queryKey, relatedOf(user));
  void usersChanged();
};
