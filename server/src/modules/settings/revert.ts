import { changeSettings, settings } from "@purser/contract/workspace/settings";
import type { Reverting } from "#platform/audit/revert.ts";
import { findSettings } from "#platform/settings.ts";

/** Null is what the environment says; nobody can write that again, but what it says. */
export const revertingSettings = (environment: {
  companyName: string;
  timeZone: string;
}): Reverting => ({
  entity: "settings",
  find: async (db) => {
    const stored = await findSettings(db);
    return {
      ...stored,
      companyName: stored.companyName ?? environment.companyName,
      timeZone: stored.timeZone ?? environment.timeZone,
    };
  },
  reply: settings,
  blanks: environment,
  change: changeSettings,
});
