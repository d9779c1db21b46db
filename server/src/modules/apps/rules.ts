import type { App, AppDetails } from "@purser/contract/apps/fields";

type Refusal = {
  code: "code_frozen" | "wrong_state" | "in_use";
  detail: string;
};

/** Other systems refer to a frozen code, so it can't change. */
export const refusalToChange = (
  one: "app" | "package",
  stored: Pick<App, "code" | "status" | "codeFrozen">,
  next: Pick<AppDetails, "code">,
): Refusal | null => {
  if (stored.status === "archived")
    return {
      code: "wrong_state",
      detail: `An archived ${one} cannot be changed. Restore it first.`,
    };
  if (stored.codeFrozen && next.code !== stored.code)
    return {
      code: "code_frozen",
      detail: `Other programs already use the code "${stored.code}". Create another ${one} to use another code.`,
    };
  return null;
};

/** An app that was in use is archived instead of deleted. */
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

export const refusalOfKey = (stored: Pick<App, "status">): Refusal | null =>
  stored.status === "archived"
    ? { code: "wrong_state", detail: "An archived app takes no new keys. Restore it first." }
    : null;
