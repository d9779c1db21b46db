import { t } from "@lingui/core/macro";
import { getApp, listApps } from "@purser/contract/apps/endpoints";
import type { Permission } from "@purser/contract/auth/permissions";
import { getFeature, listFeatures } from "@purser/contract/features/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { getPackage, listPackages } from "@purser/contract/packages/endpoints";
import { getPromotion, listPromotions } from "@purser/contract/promotions/endpoints";
import { getTransaction, listTransactions } from "@purser/contract/transactions/endpoints";
import { getUser, listUsers } from "@purser/contract/users/endpoints";
import { call } from "#lib/api/call.ts";

type Found = { id: string; label: string; note?: string; icon: string };

const few = { size: "8", count: "none" } as const;

const transactionFound = ({
  id,
  number,
  user,
}: Pick<Wire<typeof getTransaction>["reply"], "id" | "number" | "user">) => ({
  id,
  label: number,
  note: user.name || user.email,
  icon: "receipt",
});

const userFound = ({ id, name, email, number }: Wire<typeof getUser>["reply"]) => ({
  id,
  label: name || email,
  note: `${name ? `${email} ` : ""}${number}`,
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

/** Records found by name, code or id. */
export const sources: {
  /** The entity, used as query key. */
  name: string;
  group: string;
  permission: Permission;
  path: string;
  find: (q: string, signal: AbortSignal) => Promise<Found[]>;
  read: (id: string, signal: AbortSignal) => Promise<Found>;
}[] = [
  {
    name: "transactions",
    group: t`Transactions`,
    permission: "transactions:read",
    path: "/transaction/view/",
    find: async (q, signal) =>
      (await call(listTransactions, { query: { q, ...few }, signal })).items.map(transactionFound),
    read: async (id, signal) =>
      transactionFound(await call(getTransaction, { params: { id }, signal })),
  },
  {
    name: "users",
    group: t`Users`,
    permission: "users:read",
    path: "/users/view/",
    find: async (q, signal) =>
      (await call(listUsers, { query: { q, ...few }, signal })).items.map(userFound),
    read: async (id, signal) => userFound(await call(getUser, { params: { id }, signal })),
  },
  {
    name: "packages",
    group: t`Packages`,
    permission: "packages:read",
    path: "/package/view/",
    find: async (q, signal) =>
      (await call(listPackages, { query: { q, ...few }, signal })).items.map(packageFound),
    read: async (id, signal) => packageFound(await call(getPackage, { params: { id }, signal })),
  },
  {
    name: "apps",
    group: t`Apps`,
    permission: "apps:read",
    path: "/apps/view/",
    find: async (q, signal) =>
      (await call(listApps, { query: { q, ...few }, signal })).items.map(appFound),
    read: async (id, signal) => appFound(await call(getApp, { params: { id }, signal })),
  },
  {
    name: "features",
    group: t`Features`,
    permission: "features:read",
    path: "/feature/view/",
    find: async (q, signal) =>
      (await call(listFeatures, { query: { q, ...few }, signal })).items.map(featureFound),
    read: async (id, signal) => featureFound(await call(getFeature, { params: { id }, signal })),
  },
  {
    name: "promotions",
    group: t`Promotions`,
    permission: "promotions:read",
    path: "/promotion?preview=",
    find: async (q, signal) =>
      (await call(listPromotions, { query: { q, ...few }, signal })).items.map(promotionFound),
    read: async (id, signal) =>
      promotionFound(await call(getPromotion, { params: { id }, signal })),
  },
];
