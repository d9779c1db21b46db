import { z } from "zod";
import { permissions, roles } from "../auth/permissions.ts";
import { bic, iban } from "../fields/bank.ts";
import { atLeast, atMost, noRepeats, wholeNumber } from "../fields/commonRules.ts";
import { amount, currency } from "../fields/money.ts";
import { country } from "../fields/places.ts";
import { postalAddress } from "../fields/postalAddress.ts";
import { id, instant, version } from "../fields/primitives.ts";
import { email, plain, reason, text, timeZone, token } from "../fields/text.ts";
import { vatNumber } from "../fields/vatNumber.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { activityPage, activityQuery } from "./audit.ts";
import { retention, sentRetention } from "./retention.ts";

/** Actions that require approval while their rule is on. */
export const approvalRules = ["refund", "price", "erase", "owner", "grant"] as const;
export type ApprovalRule = (typeof approvalRules)[number];

/** Roles that can grant access by hand. */
export const grantingRoles = permissions["users:write"];
export type GrantingRole = (typeof grantingRoles)[number];

/** What a role grants without approval. */
const grantLimit = z.strictObject({
  /** Null for no limit, which also allows grants without an end. */
  days: z.int(wholeNumber).min(1, atLeast(1)).max(3650, atMost(3650)).nullable(),
  /** Empty for all packages. Otherwise single features require approval. */
  packages: z.array(id).max(100),
});
export type GrantLimit = z.output<typeof grantLimit>;

const days = (min: number) => z.int(wholeNumber).min(min, atLeast(min)).max(90, atMost(90));

const once = <T extends string>(values: readonly T[]) => new Set(values).size === values.length;

/** The accounts of the journal. Cash has one per payment provider, and tax one per rate. */
export const accountKinds = [
  "cash",
  "receivable",
  "revenue",
  "tax",
  "balance",
  "team credits",
  "fees",
  "write-offs",
] as const;
export type AccountKind = (typeof accountKinds)[number];

const accountCode = token(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,19}$/,
  rule("account_code_invalid", "Use up to 20 letters, digits, dots, dashes and underscores."),
);

const numberPrefix = token(
  /^[A-Z0-9-]{1,12}$/,
  rule("number_prefix_invalid", "Use 1 to 12 capital letters, digits and dashes."),
);

const bank = z.strictObject({
  name: text({ min: 1, max: 100 }).nullable(),
  iban,
  bic: bic.nullable(),
});

/** The company as documents print it. Its country decides the tax of customers without a country. */
const seller = postalAddress.extend({
  /** As registered. Documents need it. */
  name: text({ min: 1, max: 150 }).nullable(),
  region: text({ min: 1, max: 60 }).nullable(),
  country: country.nullable(),
  vatNumber: vatNumber.nullable(),
  registrationNumber: text({ min: 1, max: 50 }).nullable(),
  email: email.nullable(),
  bank: bank.nullable(),
});
export type Seller = z.output<typeof seller>;

export const noSeller: Seller = {
  name: null,
  lines: [],
  postalCode: null,
  city: null,
  region: null,
  country: null,
  vatNumber: null,
  registrationNumber: null,
  email: null,
  bank: null,
};

/** The company's settings for the whole workspace. */
export const settingsDetails = z.strictObject({
  companyName: text({ min: 1, max: 60 }),
  timeZone,
  /** Currencies for new prices; empty allows all. */
  currencies: z.array(currency).max(60).refine(once, noRepeats),
  twoFactorRoles: z.array(z.enum(roles)).max(6).refine(once, noRepeats),
  twoFactorGraceDays: days(0),
  passwordsAllowed: z.boolean(),
  /** Groups of the identity provider and their roles; the first match applies. */
  signInGroups: z
    .array(z.strictObject({ group: text({ min: 1, max: 200 }), role: z.enum(roles) }))
    .max(50),
  /** How long access continues after a paid period. */
  graceDays: days(0),
  /** By currency: refunds above it require approval while the rule "refund" is on, and all without a limit. */
  refundLimits: z.record(currency, amount),
  /** For the sum of what a team member returns in 24 hours. By default the limit of a refund. */
  refundDailyLimits: z.record(currency, amount),
  /** For the sum of what a customer gets back in 30 days. By default the limit of a refund. */
  refundCustomerLimits: z.record(currency, amount),
  /** While the rule "grant" is on. A role without limits always needs approval. */
  grantLimits: z.partialRecord(z.enum(grantingRoles), grantLimit),
  approvalRules: z.array(z.enum(approvalRules)).max(5).refine(once, noRepeats),
  approvalDays: days(1),
  /** How long a change that loosens a safeguard waits if no other owner approves it. */
  waitingHours: z.int(wholeNumber).min(24, atLeast(24)).max(72, atMost(72)),
  /** Currencies whose prices include the tax. */
  taxIncluded: z.array(currency).max(60).refine(once, noRepeats),
  seller,
  invoicePrefix: numberPrefix,
  creditNotePrefix: numberPrefix,
  /** Send every invoice and credit note to the customer. */
  sendDocuments: z.boolean(),
  documentRetentionYears: z.int(wholeNumber).min(1, atLeast(1)).max(30, atMost(30)),
  /** Codes of the accounting software, for exports of the journal. */
  accountCodes: z.partialRecord(z.enum(accountKinds), accountCode),
  retention,
});

/** Numbers of invoices and credit notes must differ. */
const hasOwnPrefixes = ({
  invoicePrefix,
  creditNotePrefix,
}: Pick<SettingsDetails, "invoicePrefix" | "creditNotePrefix">) =>
  invoicePrefix !== creditNotePrefix;
const samePrefix = {
  path: ["creditNotePrefix"],
  error: rule("number_prefix_taken", "Invoices already use this prefix. Choose another one."),
};

/** What a form checks before it is sent. */
export const settingsForm = settingsDetails.refine(hasOwnPrefixes, samePrefix);

export type SettingsDetails = z.output<typeof settingsDetails>;

export const settings = z
  .object({ ...settingsDetails.shape, version, updatedAt: instant })
  .meta({ id: "Settings" });
export type Settings = z.output<typeof settings>;

export const getSettings = endpoint({
  method: "GET",
  path: "/settings",
  summary: "Retrieve the workspace settings",
  permission: "settings:read",
  reply: settings,
});

export const changeSettings = endpoint({
  method: "PUT",
  path: "/settings",
  summary: "Update the workspace settings",
  permission: "settings:write",
  proof: "recent",
  body: settingsDetails
    .extend({ retention: sentRetention, reason: reason.optional() })
    .refine(hasOwnPrefixes, samePrefix),
  reply: settings,
  versioned: true,
  approval: "safeguard",
  refusals: ["wrong_state"],
});

export const getSettingsActivity = endpoint({
  method: "GET",
  path: "/settings/activity",
  summary: "List the activity of the workspace settings",
  permission: "settings:read",
  query: activityQuery,
  reply: activityPage,
});

/** Encrypts stored secrets with the newest key. */
export const rotateCommand = "purser secrets rotate";

export const getEncryption = endpoint({
  method: "GET",
  path: "/settings/encryption",
  summary: "Retrieve the state of the keys that encrypt stored secrets",
  permission: "settings:read",
  reply: z.strictObject({
    keys: z.int(),
    /** Stored secrets that use an older key. */
    older: z.int(),
    /** Stored secrets that can't be read with any key. */
    unreadable: z.int(),
  }),
});

export const getCompany = endpoint({
  method: "GET",
  path: "/company",
  summary: "Retrieve the workspace settings visible to everyone",
  permission: "signed in",
  reply: z.object({ name: plain, timeZone: plain, currencies: z.array(plain) }),
});
