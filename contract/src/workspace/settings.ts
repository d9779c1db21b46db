import { z } from "zod";
import { roles } from "../auth/permissions.ts";
import { atLeast, atMost, noRepeats, wholeNumber } from "../fields/commonRules.ts";
import { amount, currency } from "../fields/money.ts";
import { instant, version } from "../fields/primitives.ts";
import { plain, reason, text, timeZone } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { activityPage, activityQuery } from "./audit.ts";

/** Actions that may require approval. */
export const approvalRules = ["refund", "price", "erase", "owner"] as const;
export type ApprovalRule = (typeof approvalRules)[number];

const days = (min: number) => z.int(wholeNumber).min(min, atLeast(min)).max(90, atMost(90));

const once = <T extends string>(values: readonly T[]) => new Set(values).size === values.length;

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
  /** By currency: refunds above it require approval while the rule "refund" is on. */
  refundLimits: z.record(currency, amount),
  approvalRules: z.array(z.enum(approvalRules)).max(4).refine(once, noRepeats),
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
  summary: "Retrieve the workspace settings",
  permission: "settings:read",
  reply: settings,
});

export const changeSettings = endpoint({
  method: "PUT",
  path: "/settings",
  summary: "Update the workspace settings",
  permission: "settings:write",
  body: settingsDetails.extend({ reason: reason.optional() }),
  reply: settings,
  versioned: true,
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

export const getCompany = endpoint({
  method: "GET",
  path: "/company",
  summary: "Retrieve the workspace settings visible to everyone",
  permission: "signed in",
  reply: z.object({ name: plain, timeZone: plain, currencies: z.array(plain) }),
});
