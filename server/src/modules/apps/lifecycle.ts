import { decideEach } from "#platform/http/calls/bulk.ts";

export type Status = "draft" | "active" | "archived";
export type Action = "activate" | "archive" | "restore";

/** Apps and features start as a draft and are then active and archived in turn. */
const statusBefore = { activate: "draft", archive: "active", restore: "archived" } as const;
export const statusAfter = { activate: "active", archive: "archived", restore: "active" } as const;
type Entity = "app" | "feature";

type Refusal = { code: "wrong_state"; detail: string };

const requirementOf = (one: Entity, action: Action) => {
  switch (action) {
    case "activate":
      return "Only a draft can be activated.";
    case "archive":
      return `Only an active ${one} can be archived.`;
    case "restore":
      return `Only an archived ${one} can be restored.`;
  }
};

export const refusalOfAction = (one: Entity, status: Status, action: Action): Refusal | null =>
  status === statusBefore[action]
    ? null
    : {
        code: "wrong_state",
        detail: `${requirementOf(one, action)} This one is ${status}.`,
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
    missing: `There is no ${one} with this id. It may have been deleted.`,
    refusalOf: ({ status }) => refusalOfAction(one, status, action),
  });
