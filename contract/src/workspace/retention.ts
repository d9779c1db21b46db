import { z } from "zod";
import { atLeast, atMost, wholeNumber } from "../fields/commonRules.ts";

const days = (min: number, max: number) =>
  z.int(wholeNumber).min(min, atLeast(min)).max(max, atMost(max));

/** How many days rows are kept that would otherwise only grow. The audit log is kept as `purser audit keep` says. */
export const retention = z.strictObject({
  /** Long enough to find out about a break-in. */
  signInDays: days(90, 3650),
  notificationDays: days(7, 3650),
  /** Files of exports and results of bulk actions. */
  exportDays: days(1, 90),
  /** Rows of imports, for the file of rejected rows and for undoing. */
  importDays: days(1, 90),
  /** Jobs that ended, also those that failed. */
  jobDays: days(1, 90),
  /** Removed by whole months. */
  webhookDeliveryDays: days(1, 3650),
  webhookEventDays: days(1, 3650),
  /** Settled notifications of payment providers. Null for forever. */
  providerEventDays: days(90, 3650).nullable(),
  /** What apps reported, one row per event, removed by whole months. Usage by day stays. Null for forever. */
  usageEventDays: days(90, 3650).nullable(),
  /** Keep months of the audit log, of webhooks and of usage until `purser archive` has written them to a file. */
  archiveMonths: z.boolean(),
});
export type Retention = z.output<typeof retention>;

/** Pages of version 0.6.0 don't send everything. */
export const sentRetention = retention.extend({
  usageEventDays: retention.shape.usageEventDays.default(null),
});

/** WEBHOOK_DELIVERY_DAYS and WEBHOOK_EVENT_DAYS change two of these. */
export const defaultRetention: Retention = {
  signInDays: 400,
  notificationDays: 90,
  exportDays: 7,
  importDays: 7,
  jobDays: 7,
  webhookDeliveryDays: 30,
  webhookEventDays: 30,
  providerEventDays: null,
  usageEventDays: null,
  archiveMonths: false,
};
