import type { Reading } from "#platform/system/metrics.ts";
import { countOpen } from "./queries.ts";

export const providerReadings: Reading[] = [
  {
    name: "purser_provider_events",
    help: "Notifications of payment providers that wait or that match no transaction",
    labelNames: ["outcome"],
    read: async (db) => {
      const { waiting, unmatched } = await countOpen(db);
      return [
        { labels: { outcome: "waiting" }, value: waiting },
        { labels: { outcome: "unmatched" }, value: unmatched },
      ];
    },
  },
];
