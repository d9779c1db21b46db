import type { Role } from "@purser/contract/auth/permissions";
import type { SharedView } from "@purser/contract/workspace/sharedViews";
import type { Refusal } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

type Actor = { userId: string; role: Role };

/** Everyone uses a shared view. Only its owner and those with the Owner role change it. */
export const refusalToChange = (
  { owner }: Pick<SharedView, "owner">,
  actor: Actor,
): Refusal | null =>
  owner?.id === actor.userId || actor.role === "owner"
    ? null
    : {
        code: "forbidden",
        detail: message(
          "view_of_another_owner",
          "Only the team member who shared this view can change it, or an owner. Save your own view instead.",
        ),
      };

/** The view that opens first for the whole team is a decision of an owner. */
export const refusalToSetDefault = (
  before: boolean,
  after: boolean,
  { role }: Pick<Actor, "role">,
): Refusal | null =>
  before === after || role === "owner"
    ? null
    : {
        code: "forbidden",
        detail: message(
          "team_default_view_by_owner",
          "Only an owner can set the team's default view.",
        ),
      };
