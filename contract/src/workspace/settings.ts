import { z } from "zod";
import { roles } from "../auth/permissions.ts";
import { amount, currency } from "../fields/money.ts";
import { instant, version } from "../fields/primitives.ts";
import { plain, reason, text, timeZone } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { activityPage, activityQuery } from "./audit.ts";

/** What may need a second person, by what it is about. */
export const approvalRules = ["refund", "price", "erase", "owner"] as const;
export type ApprovalRule = (typeof approvalRules)[number];

const days = (min: number) =>
  z
    .int("must be a whole number of days")
    .min(min, `must be ${min} days or more`)
    .max(90, "must be 90 days or fewer");

const once = <T extends string>(values: readonly T[]) => new Set(values).size === values.length;

/** Everything that the company decides for its whole office. */
export const settingsDetails = z.strictObject({
  companyName: text({ min: 1, max: 60 }),
  timeZone,
  /** Those that new prices may be in; empty is every currency there is. */
  currencies: z.array(currency).max(60).refine(once, "must name each currency once"),
  secondFactorRoles: z.array(z.enum(roles)).max(6).refine(once, "must name each role once"),
  secondFactorGraceDays: days(0),
  passwordsAllowed: z.boolean(),
  /** Groups at the company's identity provider and the role that each gives: the first that fits counts. */
  signInGroups: z
    .array(z.strictObject({ group: text({ min: 1, max: 200 }), role: z.enum(roles) }))
    .max(50),
  /** How long rights go on after the period that was paid for. */
  graceDays: days(0),
  /** By currency: a refund above it needs a second person, while the rule "refund" is on. */
  refundLimits: z.record(currency, amount),
  approvalRules: z.array(z.enum(approvalRules)).max(4).refine(once, "must name each rule once"),
  approvalDays: days(1),
});
export type SettingsDetails = z.output<typeof settingsDetails>;

export const settings = z
  .object({ ...settingsDetails.shape, version, updatedAt: instant })
  .meta({ id: "Settings" });
export type Settings = z.output<typeof settings>;

export const getSettings = endpoint({
  method: "GET",
  path: "/settings",
  summary: "Read what the company decides for its whole office",
  permission: "settings:read",
  reply: settings,
});

export const changeSettings = endpoint({
  method: "PUT",
  path: "/settings",
  summary:
    "Change what the company decides for its whole office; it holds from the next request on",
  permission: "settings:write",
  body: settingsDetails.extend({ reason: reason.optional() }),
  reply: settings,
  versioned: true,
  refusals: ["wrong_state"],
});

export const getSettingsActivity = endpoint({
  method: "GET",
  path: "/settings/activity",
  summary: "List who changed the settings, newest first",
  permission: "settings:read",
  query: activityQuery,
  reply: activityPage,
});

export const getCompany = endpoint({
  method: "GET",
  path: "/company",
  summary: "Tell what everybody in the office may know of the company's settings",
  permission: "signed in",
  reply: z.object({ name: plain, timeZone: plain, currencies: z.array(plain) }),
});
