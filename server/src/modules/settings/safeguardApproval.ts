import { isDeepStrictEqual } from "node:util";
import { formatMoney } from "@purser/contract/fields/amounts";
import type { GrantLimit, SettingsDetails } from "@purser/contract/workspace/settings";
import type { ApprovalSubject } from "#platform/http/approvalGate.ts";
import { settingsId } from "#platform/settings.ts";
import type { Change } from "./rules.ts";

const list = (items: readonly string[]) => items.join(", ") || "None";

const amounts = (limits: Record<string, number>) =>
  list(Object.entries(limits).map(([currency, amount]) => formatMoney(amount, currency)));

const grantLabel = ({ days, packages }: GrantLimit) =>
  `${days === null ? "no limit" : `${days} days`}${packages.length > 0 ? `, ${packages.length} packages` : ""}`;

const shown: {
  [Key in keyof SettingsDetails]?: [string, (value: SettingsDetails[Key]) => string];
} = {
  approvalRules: ["Requires approval", list],
  refundLimits: ["Refund limits", amounts],
  refundDailyLimits: ["Per team member and day", amounts],
  refundCustomerLimits: ["Per customer and 30 days", amounts],
  grantLimits: [
    "Limits of grants",
    (limits) => list(Object.entries(limits).map(([role, one]) => `${role}: ${grantLabel(one)}`)),
  ],
  approvalDays: ["Approval requests expire after", (days) => `${days} days`],
  waitingHours: ["Waiting period", (hours) => `${hours} hours`],
  twoFactorRoles: ["Two-factor authentication", list],
  twoFactorGraceDays: ["Setup period", (days) => `${days} days`],
  passwordsAllowed: ["Password sign-in", (allowed) => (allowed ? "Allowed" : "Not allowed")],
  signInGroups: [
    "Groups and roles",
    (groups) => list(groups.map(({ group, role }) => `${group} as ${role}`)),
  ],
};

const factOf = <Key extends keyof SettingsDetails>(key: Key, { before, after }: Change) => {
  const [label, show] = shown[key] ?? [key, (value: unknown) => JSON.stringify(value)];
  return { label, value: `${show(before[key])} → ${show(after[key])}` };
};

/** The approval request, with everything that the change would set. */
export const safeguardApproval = (change: Change): ApprovalSubject => {
  const { before, after } = change;
  const changed = (Object.keys(after) as (keyof SettingsDetails)[]).filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );
  return {
    entity: "settings",
    recordId: settingsId,
    summary: "Loosen safeguards in the settings",
    facts: changed.map((key) => factOf(key, change)),
    basis: {},
  };
};
