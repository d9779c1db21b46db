import { isDeepStrictEqual } from "node:util";
import type { Role } from "@purser/contract/auth/permissions";
import { formatMoney } from "@purser/contract/fields/amounts";
import type { Retention } from "@purser/contract/workspace/retention";
import {
  type ApprovalRule,
  type GrantLimit,
  grantingRoles,
  type SettingsDetails,
} from "@purser/contract/workspace/settings";
import type { ApprovalSubject } from "#platform/http/approvalGate.ts";
import { settingsId } from "#platform/settings.ts";
import type { Change } from "./rules.ts";

/** Names of packages by ID, for the limits of grants. */
type Names = ReadonlyMap<string, string>;

const list = (items: readonly string[]) => items.join(", ") || "None";

const counted = (unit: string) => (count: number) => `${count} ${unit}${count === 1 ? "" : "s"}`;
const days = counted("day");

const ruleLabels: Record<ApprovalRule, string> = {
  refund: "Refund above the limit",
  price: "Price change",
  erase: "Erasing personal data",
  owner: "Adding an owner",
  grant: "Granting access above the limit",
};

const roleLabels: Record<Role, string> = {
  owner: "Owner",
  admin: "Admin",
  catalog: "Catalog",
  finance: "Finance",
  support: "Support",
  viewer: "Viewer",
};

const retentionLabels: Record<Exclude<keyof Retention, "archiveMonths">, string> = {
  signInDays: "sign-in log",
  notificationDays: "notifications",
  exportDays: "exports",
  importDays: "imports",
  jobDays: "jobs",
  webhookDeliveryDays: "webhook deliveries",
  webhookEventDays: "webhook events",
  providerEventDays: "provider events",
  usageEventDays: "usage events",
};

type Shown<Key extends keyof SettingsDetails> = [string, (value: SettingsDetails[Key]) => string];

const isOn = (value: boolean) => (value ? "On" : "Off");

/** Settings with one value. Limits have a row for each currency or role. */
const shown: {
  [Key in Exclude<
    keyof SettingsDetails,
    keyof typeof limits | "grantLimits" | "seller"
  >]: Shown<Key>;
} = {
  approvalRules: ["Requires approval", (rules) => list(rules.map((rule) => ruleLabels[rule]))],
  approvalDays: ["Approval requests expire after", days],
  waitingHours: ["Waiting period", counted("hour")],
  twoFactorRoles: [
    "Two-factor authentication",
    (roles) => list(roles.map((role) => roleLabels[role])),
  ],
  twoFactorGraceDays: ["Setup period", days],
  passwordsAllowed: ["Password sign-in", (allowed) => (allowed ? "Allowed" : "Not allowed")],
  signInGroups: [
    "Groups and roles",
    (groups) => list(groups.map(({ group, role }) => `${group} as ${roleLabels[role]}`)),
  ],
  companyName: ["Company name", String],
  timeZone: ["Time zone", String],
  currencies: ["Currencies", (used) => used.join(", ") || "All"],
  graceDays: ["Grace period", days],
  taxIncluded: ["Prices include tax", list],
  invoicePrefix: ["Invoice prefix", String],
  creditNotePrefix: ["Credit note prefix", String],
  sendDocuments: ["Email documents automatically", isOn],
  documentRetentionYears: ["Document retention", counted("year")],
  retention: [
    "Data retention",
    ({ archiveMonths, ...kept }) =>
      list([
        ...Object.entries(kept).map(
          ([name, count]) =>
            `${retentionLabels[name as keyof typeof kept]}: ${count === null ? "forever" : days(count)}`,
        ),
        `archive first: ${isOn(archiveMonths).toLowerCase()}`,
      ]),
  ],
  accountCodes: [
    "Account codes",
    (codes) => list(Object.entries(codes).map(([kind, code]) => `${kind}: ${code}`)),
  ],
};

const limits = {
  refundLimits: "Refund limit",
  refundDailyLimits: "Per team member and day",
  refundCustomerLimits: "Per customer and 30 days",
};

type Fact = { label: string; value: string };

const limitFacts = (key: keyof typeof limits, { before, after }: Change): Fact[] => {
  const currencies = new Set([...Object.keys(before[key]), ...Object.keys(after[key])]);
  const show = (limit: number | undefined, currency: string) =>
    limit === undefined ? "None" : formatMoney(limit, currency);
  return [...currencies]
    .sort()
    .filter((currency) => before[key][currency] !== after[key][currency])
    .map((currency) => ({
      label: `${limits[key]}, ${currency}`,
      value: `${show(before[key][currency], currency)} → ${show(after[key][currency], currency)}`,
    }));
};

const grantLabel = (limit: GrantLimit | undefined, names: Names) => {
  if (!limit) return "Always requires approval";
  const time = limit.days === null ? "No time limit" : `Up to ${days(limit.days)}`;
  const packages = limit.packages.map((id) => names.get(id) ?? "a deleted package");
  return packages.length > 0 ? `${time}, only ${packages.sort().join(", ")}` : time;
};

const grantFacts = ({ before, after }: Change, names: Names): Fact[] =>
  grantingRoles
    .filter((role) => !isDeepStrictEqual(before.grantLimits[role], after.grantLimits[role]))
    .map((role) => ({
      label: `Grants by role ${roleLabels[role]}`,
      value: `${grantLabel(before.grantLimits[role], names)} → ${grantLabel(after.grantLimits[role], names)}`,
    }));

const factsOf = (key: keyof SettingsDetails, change: Change, names: Names): Fact[] => {
  if (key === "grantLimits") return grantFacts(change, names);
  if (key === "seller") return [{ label: "Seller", value: "Changed" }];
  if (key in limits) return limitFacts(key as keyof typeof limits, change);
  const [label, show] = shown[key as keyof typeof shown] as Shown<typeof key>;
  return [{ label, value: `${show(change.before[key])} → ${show(change.after[key])}` }];
};

/** The packages in the limits of grants before and after the change. */
export const packagesIn = ({ before, after }: Change) => [
  ...new Set(
    [before, after].flatMap(({ grantLimits }) =>
      grantingRoles.flatMap((role) => grantLimits[role]?.packages ?? []),
    ),
  ),
];

/** The approval request, with everything that the change would set. */
export const safeguardApproval = (change: Change, names: Names): ApprovalSubject => {
  const { before, after } = change;
  const changed = (Object.keys(after) as (keyof SettingsDetails)[]).filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );
  return {
    entity: "settings",
    recordId: settingsId,
    summary: "Loosen safeguards in the settings",
    facts: changed.flatMap((key) => factsOf(key, change, names)),
    // The seller has too many parts for a fact.
    basis: isDeepStrictEqual(before.seller, after.seller) ? {} : { seller: before.seller },
  };
};
