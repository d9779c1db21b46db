import { plural, t } from "@lingui/core/macro";
import { currencies } from "@purser/contract/fields/amounts";
import { money, number, series } from "#lib/intl.ts";
import { approvalRules } from "#lib/labels/approvals.ts";
import { roleNames } from "#lib/labels/roles.ts";
import type { FormLabels } from "#ui/form/Field.tsx";
import type { SettingsValues } from "./values.ts";

const days = (value: number | string) =>
  typeof value === "number" ? plural(value, { one: "# day", other: "# days" }) : value;

const limitLabels = (amount: number | string, currency: string) =>
  typeof amount === "number" && currencies.includes(currency)
    ? money(amount, currency)
    : `${amount} ${currency}`;

/** The history can have roles of earlier releases. */
const nameOf = (role: string) => (roleNames as Record<string, string | undefined>)[role] ?? role;

const groupLabels = ({ group, role }: SettingsValues["signInGroups"][number]) => {
  const roleName = nameOf(role);
  return t`${group} as ${roleName}`;
};

const groupPart = ([place, part]: string[]) => {
  const position = number(Number(place) + 1);
  return part === "role" ? t`Role of group ${position}` : t`Group ${position}`;
};

export const formLabels: FormLabels<SettingsValues> = {
  companyName: { label: t`Company name` },
  timeZone: { label: t`Time zone` },
  currencies: {
    label: t`Currencies`,
    show: (used) => (used.length === 0 ? t`All currencies` : series(used)),
  },
  twoFactorRoles: {
    label: t`Two-factor authentication`,
    show: (roles) => (roles.length === 0 ? t`Not required` : series(roles.map(nameOf))),
  },
  twoFactorGraceDays: { label: t`Setup period`, show: days },
  passwordsAllowed: {
    label: t`Password sign-in`,
    show: (allowed) => (allowed ? t`Allowed` : t`Single sign-on only`),
  },
  signInGroups: {
    label: t`Groups and roles`,
    show: (groups) => series(groups.map(groupLabels)),
    part: groupPart,
  },
  graceDays: { label: t`Grace period`, show: days },
  refundLimits: {
    label: t`Refund limits`,
    show: (limits) =>
      series(Object.entries(limits).map(([currency, amount]) => limitLabels(amount, currency))),
    part: ([currency = ""]) => t`Limit in ${currency}`,
  },
  approvalRules: {
    label: t`Requires approval`,
    show: (rules) => series(rules.map((rule) => approvalRules[rule])),
  },
  approvalDays: { label: t`Approval requests expire after`, show: days },
};
