import { t } from "@lingui/core/macro";
import { allows, type Permission, permissions, type Role } from "@purser/contract/auth/permissions";
import { permissionNames } from "#lib/labels/permissions.ts";
import type { StatusWord } from "#ui/Status.tsx";
import { roleLabels } from "../labels.ts";
import type { Member } from "./queries.ts";

export const statusLabels: Record<Member["status"], StatusWord> = {
  invited: { word: t`Invited`, icon: "hourglass", tone: "info" },
  active: { word: t`Active`, icon: "circle-check", tone: "ok", quiet: true },
  suspended: { word: t`Suspended`, icon: "ban", tone: "bad" },
};

type Area = Permission extends `${infer Name}:${string}` ? Name : never;

const nameOf = (permission: Permission) => permissionNames[permission];

export const roleCards = roleLabels;

/** The areas of permissions, in the order of the contract's table. */
const areas: Record<Area, string> = {
  apps: t`Apps`,
  features: t`Features`,
  packages: t`Packages`,
  promotions: t`Promotions`,
  transactions: t`Transactions and subscriptions`,
  users: t`Customers`,
  comments: t`Comments`,
  views: t`Views`,
  reports: t`Reports`,
  imports: t`Import`,
  audit: t`History`,
  webhooks: t`Webhooks`,
  "service-accounts": t`Service accounts`,
  jobs: t`Background jobs`,
  team: t`Team`,
  settings: t`Settings`,
};

const areaOf = (permission: Permission) => areas[permission.split(":")[0] as Area];

type Line = { permission: Permission; roles: Record<Role, boolean> };

const names = Object.keys(permissions) as Permission[];

const lineOf = (permission: Permission, of: readonly Role[]): Line => ({
  permission,
  roles: Object.fromEntries(of.map((role) => [role, allows(role, permission)])) as Line["roles"],
});

/** The permissions grouped by area, in the order of the contract's table. */
export const linesByArea = (of: readonly Role[]) =>
  [...Map.groupBy(names, (permission) => areaOf(permission))].map(([area, within]) => ({
    area,
    lines: within.map((permission) => lineOf(permission, of)),
  }));

/** The permissions gained and lost with another role, by their names. */
export const differences = (from: Role, to: Role) => ({
  gained: names.filter((one) => allows(to, one) && !allows(from, one)).map(nameOf),
  lost: names.filter((one) => allows(from, one) && !allows(to, one)).map(nameOf),
});
