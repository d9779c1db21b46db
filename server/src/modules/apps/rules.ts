import type { App, AppDetails, AppStatus } from "@purser/contract/apps/fields";

type Refusal = {
  code: "code_frozen" | "wrong_state" | "in_use" | "not_found" | "stale_version";
  detail: string;
};

/** The one way through an app's life: draft, then active and archived in turn. */
export const nextStatus = { activate: "active", archive: "archived", restore: "active" } as const;
const fromStatus = { activate: "draft", archive: "active", restore: "archived" } as const;
export type Act = keyof typeof nextStatus;

const needed = {
  activate: "Only a draft can be activated.",
  archive: "Only an active app can be archived.",
  restore: "Only an archived app can be restored.",
} satisfies Record<Act, string>;

/** The status after the act, or why it cannot be done. */
export const statusAfter = (status: AppStatus, act: Act): AppStatus | Refusal =>
  status === fromStatus[act]
    ? nextStatus[act]
    : { code: "wrong_state", detail: `${needed[act]} This one is ${status}.` };

/** Why somebody who saw that version may not act on the app, or null. */
export const refusalToAct = (
  stored: Pick<App, "status" | "version"> | undefined,
  act: Act,
  versionSeen: number,
): Refusal | null => {
  if (!stored)
    return { code: "not_found", detail: "There is no app with this id. It may have been deleted." };
  if (stored.version !== versionSeen)
    return {
      code: "stale_version",
      detail: "Somebody saved it since you read it. Look at it again, then decide.",
    };
  const next = statusAfter(stored.status, act);
  return typeof next === "string" ? null : next;
};

/** Why these details may not replace the stored ones, or null. What other programs name stays. */
export const refusalToChange = (
  stored: Pick<App, "code" | "status" | "codeFrozen">,
  next: Pick<AppDetails, "code">,
): Refusal | null => {
  if (stored.status === "archived")
    return { code: "wrong_state", detail: "An archived app cannot be changed. Restore it first." };
  if (stored.codeFrozen && next.code !== stored.code)
    return {
      code: "code_frozen",
      detail: `Other programs already use the code "${stored.code}". Create another app to use another code.`,
    };
  return null;
};

/** Why the app may not be deleted, or null. What others have seen is archived, never deleted. */
export const refusalToDelete = (
  stored: Pick<App, "status" | "codeFrozen">,
  features: number,
): Refusal | null => {
  if (stored.status !== "draft")
    return { code: "wrong_state", detail: "Only a draft can be deleted. Archive the app instead." };
  if (stored.codeFrozen)
    return {
      code: "in_use",
      detail: "Keys were made for this app. Activate and archive it instead.",
    };
  if (features > 0)
    return {
      code: "in_use",
      detail:
        features === 1
          ? "It has 1 feature. Delete it first, or activate and archive the app."
          : `It has ${features} features. Delete them first, or activate and archive the app.`,
    };
  return null;
};

/** Why no key may be made for the app, or null. */
export const refusalOfKey = (stored: Pick<App, "status">): Refusal | null =>
  stored.status === "archived"
    ? { code: "wrong_state", detail: "An archived app takes no new keys. Restore it first." }
    : null;
