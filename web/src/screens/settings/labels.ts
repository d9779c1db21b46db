import { plural, t } from "@lingui/core/macro";
import { currencies } from "@purser/contract/fields/amounts";
import {
  type AccountKind,
  accountKinds,
  type GrantingRole,
  type Seller,
} from "@purser/contract/workspace/settings";
import { money, nameOf as nameOfPlace, number, series } from "#lib/intl.ts";
import { approvalRules } from "#lib/labels/approvals.ts";
import { roleNames } from "#lib/labels/roles.ts";
import type { FormLabels } from "#ui/form/Field.tsx";
import type { KeptDays, SettingsValues } from "./values.ts";

const days = (value: number | string) =>
  typeof value === "number" ? plural(value, { one: "# day", other: "# days" }) : value;

const limitLabels = (amount: number | string, currency: string) =>
  typeof amount === "number" && currencies.includes(currency)
    ? money(amount, currency)
    : `${amount} ${currency}`;

/** The history can have roles of earlier releases. */
const nameOf = (role: string) => (roleNames as Record<string, string | undefined>)[role] ?? role;

const grantLimit = (
  role: string,
  { days: limit, packages }: NonNullable<SettingsValues["grantLimits"][GrantingRole]>,
) => {
  const roleName = nameOf(role);
  const time = limit === null ? t`no limit` : days(limit);
  const some = plural(packages.length, { one: "# package", other: "# packages" });
  return packages.length === 0 ? t`${roleName}: ${time}` : t`${roleName}: ${time}, ${some}`;
};

const groupLabels = ({ group, role }: SettingsValues["signInGroups"][number]) => {
  const roleName = nameOf(role);
  return t`${group} as ${roleName}`;
};

const groupPart = ([place, part]: string[]) => {
  const position = number(Number(place) + 1);
  return part === "role" ? t`Role of group ${position}` : t`Group ${position}`;
};

const years = (value: number | string) =>
  typeof value === "number" ? plural(value, { one: "# year", other: "# years" }) : value;

export const accountNames: Record<AccountKind, string> = {
  cash: t`Cash`,
  receivable: t`Receivables`,
  revenue: t`Revenue`,
  tax: t`Tax`,
  balance: t`Customer balances`,
  "team credits": t`Credits by the team`,
  fees: t`Fees`,
  "write-offs": t`Write-offs`,
};

const accountCode = (kind: AccountKind, code: string) => {
  const account = accountNames[kind];
  return t`${account}: ${code}`;
};

export const sellerParts = {
  name: t`Legal name`,
  lines: t`Street address`,
  postalCode: t`Postal code`,
  city: t`City`,
  region: t`Region`,
  country: t`Country`,
  vatNumber: t`VAT number`,
  registrationNumber: t`Registration number`,
  email: t`Email`,
  bank: t`Bank account`,
};

export const bankParts = { name: t`Bank`, iban: t`IBAN`, bic: t`BIC` };

/** The history has only what isn't empty. */
const sellerText = ({ bank, country, ...seller }: Partial<Seller>) =>
  series(
    [
      seller.name,
      ...(seller.lines ?? []),
      seller.postalCode,
      seller.city,
      seller.region,
      country && nameOfPlace("region", country),
      seller.vatNumber,
      seller.registrationNumber,
      seller.email,
      bank?.name,
      bank?.iban,
      bank?.bic,
    ].flatMap((part) => part || []),
  );

const sellerPart = ([part = "", inner = ""]: string[]) =>
  part === "bank" && inner in bankParts
    ? bankParts[inner as keyof typeof bankParts]
    : (sellerParts[part as keyof typeof sellerParts] ?? "");

export const keptNames: Record<KeptDays, string> = {
  signInDays: t`Sign-in log`,
  notificationDays: t`Notifications`,
  exportDays: t`Exports and results of bulk actions`,
  importDays: t`Rows of imports`,
  jobDays: t`Jobs that ended`,
  webhookDeliveryDays: t`Webhook deliveries`,
  webhookEventDays: t`Webhook events`,
  providerEventDays: t`Events of payment providers`,
  usageEventDays: t`Usage events`,
};
export const keptKinds = Object.keys(keptNames) as KeptDays[];

/** The history has only what differs from the defaults. */
const retentionText = (retention: Partial<SettingsValues["retention"]>) =>
  series([
    ...keptKinds.flatMap((kind) => {
      const kept = retention[kind];
      if (kept === undefined) return [];
      const name = keptNames[kind];
      const time = kept === null ? t`forever` : days(kept);
      return [t`${name}: ${time}`];
    }),
    ...(retention.archiveMonths ? [t`Archive months first`] : []),
  ]) || t`Defaults`;

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
  refundDailyLimits: {
    label: t`Per team member and day`,
    show: (limits) =>
      series(Object.entries(limits).map(([currency, amount]) => limitLabels(amount, currency))),
    part: ([currency = ""]) => t`Limit per team member and day in ${currency}`,
  },
  refundCustomerLimits: {
    label: t`Per customer and 30 days`,
    show: (limits) =>
      series(Object.entries(limits).map(([currency, amount]) => limitLabels(amount, currency))),
    part: ([currency = ""]) => t`Limit per customer and 30 days in ${currency}`,
  },
  grantLimits: {
    label: t`Limits of grants`,
    show: (limits) =>
      series(Object.entries(limits).map(([role, limit]) => grantLimit(role, limit))),
    part: ([role = ""]) => nameOf(role),
  },
  approvalRules: {
    label: t`Requires approval`,
    show: (rules) => series(rules.map((rule) => approvalRules[rule])),
  },
  approvalDays: { label: t`Approval requests expire after`, show: days },
  waitingHours: {
    label: t`Waiting period`,
    show: (hours) =>
      typeof hours === "number" ? plural(hours, { one: "# hour", other: "# hours" }) : hours,
  },
  taxIncluded: {
    label: t`Prices include tax`,
    show: (included) => (included.length === 0 ? t`In no currency` : series(included)),
  },
  seller: { label: t`Seller`, show: sellerText, part: sellerPart },
  invoicePrefix: { label: t`Invoice prefix` },
  creditNotePrefix: { label: t`Credit note prefix` },
  sendDocuments: {
    label: t`Email documents automatically`,
    show: (isOn) => (isOn ? t`On` : t`Off`),
  },
  documentRetentionYears: { label: t`Document retention`, show: years },
  accountCodes: {
    label: t`Account codes`,
    show: (codes) =>
      series(
        accountKinds.flatMap((kind) => {
          const code = codes[kind];
          return code ? [accountCode(kind, code)] : [];
        }),
      ),
    part: ([kind = ""]) => accountNames[kind as AccountKind] ?? "",
  },
  retention: {
    label: t`Data retention`,
    show: retentionText,
    part: ([kind = ""]) => keptNames[kind as KeptDays] ?? t`Archive months first`,
  },
};
