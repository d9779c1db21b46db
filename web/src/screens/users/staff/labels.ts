import {
  allows,
  type Permission,
  permissions,
  type Role,
  roles,
} from "@purser/contract/auth/permissions";
import { capitalize } from "#lib/labels.ts";
import type { StatusWord } from "#ui/Status.tsx";
import type { Member } from "./queries.ts";

export const statusLabels: Record<Member["status"], StatusWord> = {
  invited: { word: "Invited", icon: "hourglass", tone: "info" },
  active: { word: "Active", icon: "circle-check", tone: "ok", quiet: true },
  suspended: { word: "Suspended", icon: "ban", tone: "bad" },
};

/** The purpose of a role, in one sentence. */
export const roleHelp: Record<Role, string> = {
  owner: "Everything, also staff, roles and settings.",
  admin: "Everything but staff and what the company decides.",
  catalogue: "What is sold: apps, features, packages, promotions.",
  finance: "Money: sales, refunds and disputes.",
  support: "Customers: who they are and what they may use.",
  viewer: "Looks at everything that is sold, changes nothing.",
};

export const roleCards = Object.fromEntries(
  roles.map((role) => [role, { label: capitalize(role), help: roleHelp[role] }]),
) as Record<Role, { label: string; help: string }>;

const areas: Record<string, string> = {
  transactions: "Transactions and subscriptions",
  users: "Customers",
  audit: "Audit log",
  jobs: "Background jobs",
  staff: "Staff, sessions and sign-ins",
};

const actions: Record<string, string> = {
  "apps:keys": "Make and revoke keys",
  "users:privacy": "Export and erase",
  "jobs:write": "Run again",
  "transactions:write": "Record, refund and change",
  "staff:write": "Invite, change roles, remove",
};

const usualActions: Record<string, string> = { read: "See", write: "Create and change" };

const partsOf = (permission: Permission): { area: string; act: string } => {
  const [area = "", act = ""] = permission.split(":");
  return {
    area: areas[area] ?? capitalize(area),
    act: actions[permission] ?? usualActions[act] ?? capitalize(act),
  };
};

type Line = { permission: Permission; act: string; roles: Record<Role, boolean> };

const names = Object.keys(permissions) as Permission[];

const lineOf = (permission: Permission, of: readonly Role[]): Line => ({
  permission,
  act: partsOf(permission).act,
  roles: Object.fromEntries(of.map((role) => [role, allows(role, permission)])) as Line["roles"],
});

/** The permissions grouped by area, in the order of the contract's table. */
export const linesByArea = (of: readonly Role[]) =>
  [...Map.groupBy(names, (permission) => partsOf(permission).area)].map(([area, within]) => ({
    area,
    lines: within.map((permission) => lineOf(permission, of)),
  }));

/** The permissions gained and lost with another role, in words. */
export const differences = (from: Role, to: Role) => {
  const inLabels = (permission: Permission) => {
    const { area, act } = partsOf(permission);
    return `${area}: ${act.toLowerCase()}`;
  };
  return {
    gained: names.filter((one) => allows(to, one) && !allows(from, one)).map(inLabels),
    lost: names.filter((one) => allows(from, one) && !allows(to, one)).map(inLabels),
  };
};
