import type { Reading } from "#platform/system/metrics.ts";
import { findLag } from "./queueQueries.ts";

export const webhookReadings: Reading[] = [
  {
    name: "purser_webhook_lag_seconds",
    help: "How long the next event of each active endpoint has been due",
    labelNames: ["endpoint"],
    read: async (db) =>
      (await findLag(db)).map(({ id, seconds }) => ({
        labels: { endpoint: id },
        value: seconds ?? 0,
      })),
  },
];
