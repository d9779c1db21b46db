import {
  appListFields,
  type keyKinds,
  type keyScopes,
  type platforms,
} from "@purser/contract/apps";
import { lifeOptions } from "#ui/lifecycle.tsx";
import { listWords } from "#ui/list/filterWords.ts";

export const platformWords: Record<(typeof platforms)[number], string> = {
  web: "Web",
  ios: "iOS",
  android: "Android",
  desktop: "Desktop",
  api: "API",
};

export const platformsOf = (chosen: readonly (keyof typeof platformWords)[]) =>
  chosen.map((platform) => platformWords[platform]).join(", ");

export const fieldWords = listWords(appListFields, {
  status: { options: lifeOptions },
  platforms: { options: platformWords },
});

export const kindWords: Record<(typeof keyKinds)[number], { label: string; help: string }> = {
  server: { label: "Server", help: "For your own servers. Keep it secret." },
  publishable: { label: "Publishable", help: "May be seen by everybody, so it can only read." },
};

export const scopeWords: Record<(typeof keyScopes)[number], string> = {
  "entitlements:read": "ask what a user may use",
  "usage:write": "record use",
};

/** The same in a table, where the column says the rest. */
export const scopeVerbs: typeof scopeWords = {
  "entitlements:read": "ask",
  "usage:write": "record use",
};
