import type { appFields, keyKinds, keyScopes, platforms } from "@purser/contract/apps";
import type { FormWords } from "#ui/form/Field.tsx";
import { lifeOptions } from "#ui/life.tsx";
import type { FieldWords } from "#ui/list/filterWords.ts";
import type { AppValues } from "./values.ts";

export const platformWords: Record<(typeof platforms)[number], string> = {
  web: "Web",
  ios: "iOS",
  android: "Android",
  desktop: "Desktop",
  api: "API",
};

const platformList = (chosen: readonly (keyof typeof platformWords)[]) =>
  chosen.map((platform) => platformWords[platform]).join(", ");

export const fieldWords: FieldWords<typeof appFields> = {
  name: { label: "Name" },
  code: { label: "Code" },
  status: { label: "Status", options: lifeOptions },
  platforms: { label: "Platforms", options: platformWords },
  supportEmail: { label: "Support mail" },
  createdAt: { label: "Created" },
  updatedAt: { label: "Changed" },
};

export const formWords: FormWords<AppValues> = {
  name: { label: "Name" },
  code: { label: "Code" },
  description: { label: "Description" },
  platforms: { label: "Platforms", show: platformList },
  icon: { label: "Icon" },
  supportEmail: { label: "Support mail" },
};

export const platformsOf = platformList;

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
