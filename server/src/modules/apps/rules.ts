import type { App, AppDetails } from "@purser/contract/apps/fields";
import type { KeyDetails } from "@purser/contract/apps/keys";
import type { Message } from "@purser/contract/messages/message";
import { message } from "#platform/messages.ts";

type Refusal = {
  code: "code_frozen" | "wrong_state" | "in_use";
  detail: Message;
};

const archived = {
  app: message("app_archived", "This app is archived. Restore it to make changes."),
  package: message("package_archived", "This package is archived. Restore it to make changes."),
};

const codeFrozen = {
  app: message(
    "app_code_frozen",
    "This code is in use and can't be changed. Duplicate the app to use another code.",
  ),
  package: message(
    "package_code_frozen",
    "This code is in use and can't be changed. Duplicate the package to use another code.",
  ),
};

/** Other systems refer to a frozen code, so it can't change. */
export const refusalToChange = (
  one: "app" | "package",
  stored: Pick<App, "code" | "status" | "codeFrozen">,
  next: Pick<AppDetails, "code">,
): Refusal | null => {
  if (stored.status === "archived") return { code: "wrong_state", detail: archived[one] };
  if (stored.codeFrozen && next.code !== stored.code)
    return { code: "code_frozen", detail: codeFrozen[one] };
  return null;
};

/** An app that was in use is archived instead of deleted. */
export const refusalToDelete = (
  stored: Pick<App, "status" | "codeFrozen">,
  features: number,
): Refusal | null => {
  if (stored.status !== "draft")
    return {
      code: "wrong_state",
      detail: message("app_not_draft", "Only drafts can be deleted. Archive the app instead."),
    };
  if (stored.codeFrozen)
    return {
      code: "in_use",
      detail: message(
        "app_has_keys",
        "This app has API keys and can't be deleted. Activate and archive it instead.",
      ),
    };
  if (features > 0)
    return {
      code: "in_use",
      detail: message(
        "app_has_features",
        "This app has {features, plural, one {# feature. Delete it} other {# features. Delete them}} first, or activate and archive the app.",
        { features },
      ),
    };
  return null;
};

export const refusalToChangeKey = ({ revokedAt }: { revokedAt: Date | null }): Refusal | null =>
  revokedAt
    ? {
        code: "wrong_state",
        detail: message("app_key_revoked", "This API key is already revoked."),
      }
    : null;

export const refusalToListOrigins = ({ kind }: Pick<KeyDetails, "kind">): Refusal | null =>
  kind === "server"
    ? {
        code: "wrong_state",
        detail: message("server_key_origins", "Only publishable keys have origins."),
      }
    : null;
