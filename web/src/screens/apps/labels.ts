import { appListFields, type platforms } from "@purser/contract/apps/fields";
import type { keyKinds, keyScopes } from "@purser/contract/apps/keys";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import { lifeOptions } from "#ui/record/lifecycle.tsx";

export const platformLabels: Record<(typeof platforms)[number], string> = {
  web: "Web",
  ios: "iOS",
  android: "Android",
  desktop: "Desktop",
  api: "API",
};

export const platformsOf = (chosen: readonly (keyof typeof platformLabels)[]) =>
  chosen.map((platform) => platformLabels[platform]).join(", ");

export const fieldWords = listLabels(appListFields, {
  status: { options: lifeOptions },
  platforms: { options: platformLabels },
});

export const kindLabels: Record<(typeof keyKinds)[number], { label: string; help: string }> = {
  server: { label: "Server", help: "For your own servers. Keep it secret." },
  publishable: { label: "Publishable", help: "May be seen by everybody, so it can only read." },
};

export const scopeLabels: Record<(typeof keyScopes)[number], string> = {
  "entitlements:read": "ask what a user may use",
  "usage:write": "record use",
};

/** Shorter, for a table whose column header says the rest. */
export const scopeVerbs: typeof scopeLabels = {
  "entitlements:read": "ask",
  "usage:write": "record use",
};
