import type { AppStatus, appFields, keyKinds, keyScopes, platforms } from "@purser/contract/apps";
import type { FormWords } from "#ui/form/Field.tsx";
import type { FieldWords } from "#ui/list/filterWords.ts";
import type { StatusWord } from "#ui/Status.tsx";
import type { AppValues } from "./values.ts";

export const statusWords: Record<AppStatus, StatusWord> = {
  draft: { word: "Draft", icon: "circle-dashed", tone: "mute" },
  active: { word: "Active", icon: "circle-check", tone: "ok", quiet: true },
  archived: { word: "Archived", icon: "archive", tone: "mute", quiet: true },
};

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
  status: {
    label: "Status",
    options: { draft: "Draft", active: "Active", archived: "Archived" },
  },
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

/** The columns of the database as people call them, for the record of what changed. */
export const columnWords: Record<string, string | undefined> = {
  code: "Code",
  name: "Name",
  description: "Description",
  platforms: "Platforms",
  icon: "Icon",
  supportEmail: "Support mail",
  status: "Status",
  activatedAt: "First active",
  kind: "Kind",
  scopes: "May",
  prefix: "Starts with",
  expiresAt: "Expires",
  revokedAt: "Revoked",
};
