import { z } from "zod";
import { roles } from "../auth/permissions.ts";
import { commonFields } from "../fields/commonFields.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
  writeNamesOf,
  writeShape,
} from "../fields/declarations.ts";
import { amount } from "../fields/money.ts";
import { countries, country, locale } from "../fields/places.ts";
import { postalAddress } from "../fields/postalAddress.ts";
import { id, instant } from "../fields/primitives.ts";
import { email, plain, reason, text, timeZone } from "../fields/text.ts";
import { vatNumber } from "../fields/vatNumber.ts";

export const userStatuses = ["invited", "active", "suspended", "erased"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** A user without a role is a customer; all others are team members. */
export const userRoles = ["customer", ...roles] as const;

export const userFields = fields({
  id: commonFields.id,
  number: { label: "Number", read: plain },
  name: commonFields.name,
  email: {
    label: "Email",
    write: email,
    read: plain,
    list: { kind: "text", sort: true, columnWidth: 220 },
    form: { type: "email" },
  },
  status: {
    label: "Status",
    read: z.enum(userStatuses),
    list: { kind: "choice", options: userStatuses },
  },
  /** Current packages. */
  package: { label: "Package", list: { kind: "relation" } },
  role: {
    label: "Role",
    read: z.enum(roles).nullable(),
    list: { kind: "choice", options: userRoles },
  },
  /** The customer's id in the sold apps. It can be set once, because the apps refer to it. */
  externalId: {
    label: "External ID",
    write: text({ min: 1, max: 200 }).nullable().default(null),
    read: plain.nullable(),
    form: { mono: true, help: "Can't be changed once set." },
    revert: false,
  },
  /** Current packages, base packages first. */
  packages: { label: "Package", read: z.array(z.object({ id, name: plain })) },
  /** The next renewal of any subscription. */
  renewsAt: { label: "Renews", read: instant.nullable() },
  /** Payments and refunds by currency, largest first. */
  spent: {
    label: "Spent",
    read: z.array(z.object({ currency: plain, total: amount, refunded: amount })),
  },
  country: {
    label: "Country",
    write: country.nullable().default(null),
    read: plain.nullable(),
    list: { kind: "choice", options: countries, columnWidth: 140 },
  },
  /** What documents print about the buyer, and what the tax depends on. */
  company: {
    label: "Company",
    write: text({ min: 1, max: 120 }).nullable().default(null),
    read: plain.nullable(),
  },
  address: {
    label: "Address",
    write: postalAddress.nullable().default(null),
    read: z
      .object({ lines: z.array(plain), postalCode: plain.nullable(), city: plain.nullable() })
      .nullable(),
  },
  region: {
    label: "Region",
    write: text({ min: 1, max: 60 }).nullable().default(null),
    read: plain.nullable(),
    form: { help: "State or province, if taxes differ by region." },
  },
  vatNumber: {
    label: "VAT number",
    write: vatNumber.nullable().default(null),
    read: plain.nullable(),
    form: { mono: true, placeholder: "DE123456789" },
  },
  locale: { label: "Language", write: locale.nullable().default(null), read: plain.nullable() },
  timeZone: {
    label: "Time zone",
    write: timeZone.nullable().default(null),
    read: plain.nullable(),
  },
  /** When the link of the invitation expires. */
  invitedUntil: { label: "Invitation expires", read: instant.nullable(), export: false },
  /** The record that this one was merged into; a merged record can't be changed. */
  mergedIntoId: { label: "Merged into", column: "mergedInto", read: id.nullable() },
  roleGivenAt: { label: "Role given" },
  isService: { label: "Service account" },
  version: commonFields.version,
  createdAt: commonFields.createdAt,
  updatedAt: { label: "Updated", read: instant },
});

export const userListFields = listFieldsOf(userFields);
export const userColumns = exportColumnsOf(userFields);
export const userLabels = historyLabelsOf(userFields);
export const userWritable = writeNamesOf(userFields);

const about = writeShape(userFields);

export const userDetails = z.strictObject({ ...about, reason: reason.optional() });
export type UserDetails = Omit<z.output<typeof userDetails>, "reason">;

export const newUser = z.strictObject({
  ...about,
  /** The first note; none if empty. */
  note: text({ max: 4000, lines: true }).default(""),
  reason: reason.optional(),
});

export const user = z.object(readShape(userFields)).meta({ id: "User" });
export type User = z.output<typeof user>;
