import type { Endpoint } from "@purser/contract/http/endpoint";
import type { Message } from "@purser/contract/messages/message";
import { decideEach } from "#platform/http/calls/bulk.ts";
import { notFoundMessages } from "#platform/http/problem.ts";
import type { AnyList } from "#platform/lists/jobs/sources.ts";
import { message } from "#platform/messages.ts";

export type Status = "draft" | "active" | "archived";
export type Action = "activate" | "archive" | "restore";

/** Apps and features start as a draft and are then active and archived in turn. */
export const statusAfter = { activate: "active", archive: "archived", restore: "active" } as const;
type Entity = "app" | "feature";

type Refusal = { code: "wrong_state"; detail: Message };

const appNotArchived = message("app_not_archived", "This app isn't archived.");
const featureNotArchived = message("feature_not_archived", "This feature isn't archived.");

/** Why a record in a status can't take an action. Empty where it can. */
const refusals: Record<Entity, Record<Action, Partial<Record<Status, Message>>>> = {
  app: {
    activate: {
      active: message("app_already_active", "This app is already active."),
      archived: message("app_archived_activate", "This app is archived. Restore it instead."),
    },
    archive: {
      draft: message("app_draft_archive", "This app is a draft. Only active apps can be archived."),
      archived: message("app_already_archived", "This app is already archived."),
    },
    restore: { draft: appNotArchived, active: appNotArchived },
  },
  feature: {
    activate: {
      active: message("feature_already_active", "This feature is already active."),
      archived: message(
        "feature_archived_activate",
        "This feature is archived. Restore it instead.",
      ),
    },
    archive: {
      draft: message(
        "feature_draft_archive",
        "This feature is a draft. Only active features can be archived.",
      ),
      archived: message("feature_already_archived", "This feature is already archived."),
    },
    restore: { draft: featureNotArchived, active: featureNotArchived },
  },
};

export const refusalOfAction = (one: Entity, status: Status, action: Action): Refusal | null => {
  const detail = refusals[one][action][status];
  return detail ? { code: "wrong_state", detail } : null;
};

/** Why an app can't be suspended. An archived one can, because its customers keep their access. */
export const refusalToSuspend = ({
  status,
  suspendedAt,
}: {
  status: Status;
  suspendedAt: Date | null;
}): Refusal | null => {
  if (suspendedAt)
    return {
      code: "wrong_state",
      detail: message("app_already_suspended", "This app is already suspended."),
    };
  return status === "draft"
    ? {
        code: "wrong_state",
        detail: message(
          "app_draft_suspend",
          "This app is a draft, so no one has access to it. Only active and archived apps can be suspended.",
        ),
      }
    : null;
};

export const refusalToResume = ({ suspendedAt }: { suspendedAt: Date | null }): Refusal | null =>
  suspendedAt
    ? null
    : {
        code: "wrong_state",
        detail: message("app_not_suspended", "This app isn't suspended."),
      };

type Stored = { id: string; name: string; status: Status; version: number };
type Target = { id: string; version: number };

/** A bulk action on apps or features. */
export const decideBulk = (
  one: Entity,
  action: Action,
  { targets, stored }: { targets: readonly Target[]; stored: readonly Stored[] },
) =>
  decideEach(targets, stored, {
    missing: notFoundMessages[one],
    refusalOf: ({ status }) => refusalOfAction(one, status, action),
  });

/** The bulk actions on all apps or features that match a filter. */
export const bulkLifecycle = (
  one: Entity,
  { endpoint, list }: { endpoint: Endpoint; list: unknown },
) => {
  const targets = `${one}s`;
  return {
    listOf: () => list as AnyList,
    actions: {
      activate: { endpoint, targets, undo: null, unchanged: [`${one}_already_active`] },
      archive: { endpoint, targets, undo: "restore", unchanged: [`${one}_already_archived`] },
      restore: { endpoint, targets, undo: "archive", unchanged: [`${one}_not_archived`] },
    },
    rules: {
      state: { status: "r.status" },
      refusalOf: ({ status }: { status: Status }, action: string) =>
        refusalOfAction(one, status, action as Action),
    },
  } as const;
};
