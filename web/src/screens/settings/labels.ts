import type { Role } from "@purser/contract/auth/permissions";
import { currencies, formatMoney } from "@purser/contract/fields/money";
import type { ApprovalRule } from "@purser/contract/workspace/settings";
import { capitalize, count } from "#lib/labels.ts";
import type { FormLabels } from "#ui/form/Field.tsx";
import type { SettingsValues } from "./values.ts";

export const roleLabels: Record<Role, string> = {
  owner: "Owners",
  admin: "Admins",
  catalogue: "Catalogue managers",
  finance: "Finance",
  support: "Support",
  viewer: "Viewers",
};

export const ruleLabels: Record<ApprovalRule, string> = {
  refund: "A refund above its currency's limit",
  price: "A new price of a package on sale",
  erase: "Erasing a person",
  owner: "Making somebody an owner, or no longer one",
};

const days = (value: number | string) =>
  typeof value === "number" ? count(value, "day") : String(value);

const limitLabels = (amount: number | string, currency: string) =>
  typeof amount === "number" && currencies.includes(currency)
    ? formatMoney(amount, currency)
    : `${amount} ${currency}`;

export const formLabels: FormLabels<SettingsValues> = {
  companyName: { label: "Company name" },
  timeZone: { label: "Time zone" },
  currencies: {
    label: "Currencies in use",
    show: (used) => (used.length === 0 ? "every currency" : used.join(", ")),
  },
  secondFactorRoles: {
    label: "Second factor",
    show: (roles) => (roles.length === 0 ? "nobody must" : roles.map(capitalize).join(", ")),
  },
  secondFactorGraceDays: { label: "Time to set it up", show: days },
  passwordsAllowed: {
    label: "Passwords",
    show: (allowed) => (allowed ? "allowed" : "company sign-in only"),
  },
  signInGroups: {
    label: "Groups and roles",
    show: (groups) => groups.map(({ group, role }) => `${group}: ${role}`).join(", "),
    part: ([place, part]) => `The ${part} in row ${Number(place) + 1}`,
  },
  graceDays: { label: "Days of grace", show: days },
  refundLimits: {
    label: "Refund limits",
    show: (limits) =>
      Object.entries(limits)
        .map(([currency, amount]) => limitLabels(amount, currency))
        .join(", "),
    part: ([currency]) => `The limit in ${currency}`,
  },
  approvalRules: {
    label: "Second pair of eyes",
    show: (rules) => rules.map((rule) => ruleLabels[rule]).join("; "),
  },
  approvalDays: { label: "A request stands for", show: days },
};
