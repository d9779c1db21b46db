import { t } from "@lingui/core/macro";
import { type getApp, listApps } from "@purser/contract/apps/endpoints";
import type { Permission } from "@purser/contract/auth/permissions";
import { type getFeature, listFeatures } from "@purser/contract/features/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { type getPackage, listPackages } from "@purser/contract/packages/endpoints";
import { type getPromotion, listPromotions } from "@purser/contract/promotions/endpoints";
import { type getTransaction, listTransactions } from "@purser/contract/transactions/endpoints";
import { type getUser, listUsers } from "@purser/contract/users/endpoints";
import { listServiceAccounts } from "@purser/contract/users/serviceAccounts";
import { listWebhookEndpoints } from "@purser/contract/workspace/webhooks";
import { call } from "#lib/api/call.ts";

type Found = { id: string; label: string; note?: string; icon: string };

const few = { size: "8", count: "none" } as const;

const transactionFound = ({
  id,
  number,
  user,
  reference,
}: Pick<Wire<typeof getTransaction>["reply"], "id" | "number" | "user" | "reference">) => ({
  id,
  label: number,
  note: [user.name || user.email, reference].filter(Boolean).join(" · "),
  icon: "receipt",
});

const userFound = ({ id, name, email, number, externalId }: Wire<typeof getUser>["reply"]) => ({
  id,
  label: name || email,
  note: [name && email, number, externalId].filter(Boolean).join(" · "),
  icon: "user-circle",
});

const packageFound = ({ id, name, code }: Wire<typeof getPackage>["reply"]) => ({
  id,
  label: name,
  note: code,
  icon: "package",
});

const appFound = ({ id, name, code, icon }: Wire<typeof getApp>["reply"]) => ({
  id,
  label: name,
  note: code,
  icon,
});

const featureFound = ({ id, name, code, app }: Wire<typeof getFeature>["reply"]) => ({
  id,
  label: name,
  note: `${app.code}.${code}`,
  icon: app.icon,
});

const promotionFound = ({ id, name, code }: Wire<typeof getPromotion>["reply"]) => ({
  id,
  label: name,
  note: code ?? "",
  icon: "discount",
});

/** A feature as it is shown, with the code of its app: `harbor.seats`. */
const dotted = /^(?<app>[a-z0-9_-]+)\.(?<code>[a-z0-9_-]+)$/;

const findFeatures = async (q: string, signal: AbortSignal) => {
  const { app, code } = dotted.exec(q.toLowerCase())?.groups ?? {};
  const { items } = await call(listFeatures, { query: { q: code ?? q, ...few }, signal });
  return items.filter((feature) => !app || feature.app.code === app).map(featureFound);
};

/** Those of a short list that has no search of its own. */
const findIn = <Item>(items: Item[], q: string, textsOf: (item: Item) => string[]) =>
  items.filter((item) =>
    textsOf(item).some((text) => text.toLowerCase().includes(q.toLowerCase())),
  );

const findWebhooks = async (q: string, signal: AbortSignal) => {
  const { items } = await call(listWebhookEndpoints, { signal });
  return findIn(items, q, ({ id, url, description }) => [id, url, description]).map(
    ({ id, url, description }) => ({ id, label: url, note: description, icon: "bolt" }),
  );
};

const findServiceAccounts = async (q: string, signal: AbortSignal) => {
  const { items } = await call(listServiceAccounts, { signal });
  const found = findIn(items, q, ({ id, name, keys }) => [
    id,
    name,
    ...keys.flatMap((key) => [key.name, key.prefix]),
  ]);
  return found.map(({ id, name, keys }) => ({
    id,
    label: name,
    note: keys.map(({ prefix }) => prefix).join(" · "),
    icon: "key",
  }));
};

/** Records found by name, code, number, email, external ID, reference, invoice, URL, key or ID. */
export const sources: {
  /** The entity, used as query key. */
  name: string;
  group: string;
  permission: Permission;
  /** The page of a record is this with its ID, unless all records are on one page. */
  path: string;
  onOnePage?: true;
  find: (q: string, signal: AbortSignal) => Promise<Found[]>;
}[] = [
  {
    name: "transactions",
    group: t`Transactions`,
    permission: "transactions:read",
    path: "/transaction/view/",
    find: async (q, signal) =>
      (await call(listTransactions, { query: { q, ...few }, signal })).items.map(transactionFound),
  },
  {
    name: "users",
    group: t`Users`,
    permission: "users:read",
    path: "/users/view/",
    find: async (q, signal) =>
      (await call(listUsers, { query: { q, ...few }, signal })).items.map(userFound),
  },
  {
    name: "packages",
    group: t`Packages`,
    permission: "packages:read",
    path: "/package/view/",
    find: async (q, signal) =>
      (await call(listPackages, { query: { q, ...few }, signal })).items.map(packageFound),
  },
  {
    name: "apps",
    group: t`Apps`,
    permission: "apps:read",
    path: "/apps/view/",
    find: async (q, signal) =>
      (await call(listApps, { query: { q, ...few }, signal })).items.map(appFound),
  },
  {
    name: "features",
    group: t`Features`,
    permission: "features:read",
    path: "/feature/view/",
    find: findFeatures,
  },
  {
    name: "promotions",
    group: t`Promotions`,
    permission: "promotions:read",
    path: "/promotion?preview=",
    find: async (q, signal) =>
      (await call(listPromotions, { query: { q, ...few }, signal })).items.map(promotionFound),
  },
  {
    name: "webhooks",
    group: t`Webhooks`,
    permission: "webhooks:read",
    path: "/webhook",
    onOnePage: true,
    find: findWebhooks,
  },
  {
    name: "service_accounts",
    group: t`Service accounts`,
    permission: "service-accounts:write",
    path: "/settings#service-accounts",
    onOnePage: true,
    find: findServiceAccounts,
  },
];
