import type { Message } from "@purser/contract/messages/message";
import type { UserStatus } from "@purser/contract/users/fields";
import { message } from "#platform/messages.ts";

type Refusal = { code: "wrong_state"; detail: Message };

const wrong = (detail: Message): Refusal => ({ code: "wrong_state", detail });

type Grant = {
  startsAt: Date;
  /** Null means without end. */
  endsAt: Date | null;
  subscriptionId: string | null;
  package: { id: string; name: string; group: string | null } | null;
};

const overlap = (one: Grant, other: Grant) =>
  one.startsAt < (other.endsAt ?? Number.POSITIVE_INFINITY) &&
  other.startsAt < (one.endsAt ?? Number.POSITIVE_INFINITY);

const collide = (one: Grant, other: Grant) => {
  if (!one.package || !other.package || !overlap(one, other)) return false;
  if (one.package.id === other.package.id)
    return one.subscriptionId !== null && other.subscriptionId !== null;
  return one.package.group !== null && one.package.group === other.package.group;
};

/** Refuses grants that conflict with those of the other customer. */
export const refusalToCombine = (
  to: { name: string },
  moved: readonly Grant[],
  held: readonly Grant[],
): Refusal | null => {
  for (const one of moved) {
    const other = held.find((theirs) => collide(one, theirs));
    if (!one.package || !other?.package) continue;
    return one.package.id === other.package.id
      ? wrong(
          message(
            "transfer_package_taken",
            "{customer} already has {package}. End one of the two first.",
            { customer: to.name, package: other.package.name },
          ),
        )
      : wrong(
          message(
            "transfer_group_taken",
            "{customer} already has {other} in the same group. End {other} or {package} first.",
            { customer: to.name, other: other.package.name, package: one.package.name },
          ),
        );
  }
  return null;
};

type Known = {
  id: string;
  name: string;
  status: UserStatus;
  role: string | null;
  mergedInto: string | null;
};

export const refusalToMoveFrom = (
  { id, name, mergedInto }: Known,
  to: { id: string },
  { asked, found }: { asked: number; found: number },
): Refusal | null => {
  if (mergedInto !== null)
    return wrong(
      message(
        "transfer_merged",
        "{customer} was merged into another record. Transfer the access of that record.",
        { customer: name },
      ),
    );
  if (id === to.id)
    return wrong(
      message(
        "transfer_same_customer",
        "This customer already has the access. Choose another one.",
      ),
    );
  return asked === found
    ? null
    : wrong(
        message(
          "transfer_grants_changed",
          "Some of this access has ended or was transferred. Review the selection and try again.",
        ),
      );
};

export const refusalToMerge = (stays: Known, goes: Known): Refusal | null => {
  if (stays.id === goes.id)
    return wrong(message("merge_same_record", "This is the same record. Choose another one."));
  if (goes.mergedInto !== null)
    return wrong(
      message("merge_source_merged", "{customer} was already merged into another record.", {
        customer: goes.name,
      }),
    );
  if (stays.mergedInto !== null)
    return wrong(
      message(
        "merge_target_merged",
        "{customer} was merged into another record. Merge into that record instead.",
        { customer: stays.name },
      ),
    );
  if (stays.status === "erased" || goes.status === "erased")
    return wrong(message("merge_erased", "Erased customers can't be merged."));
  if (stays.status === "suspended")
    return wrong(
      message("merge_suspended", "{customer} is suspended. Reactivate them before you merge.", {
        customer: stays.name,
      }),
    );
  if (stays.role !== null && goes.role !== null)
    return wrong(
      message(
        "merge_team_members",
        "Both records are team members. Remove one of them from the team first.",
      ),
    );
  return goes.role === null
    ? null
    : wrong(
        message(
          "merge_team_member",
          "The team member's record has to be kept. Merge the other record into it.",
        ),
      );
};

type Running = { packageId: string; name: string; group: string | null };

/** Refuses to merge if both customers subscribe to the same package or group. */
export const refusalOfSubscriptions = (
  stays: readonly Running[],
  goes: readonly Running[],
): Refusal | null => {
  for (const one of goes) {
    const other = stays.find(
      ({ packageId, group }) =>
        packageId === one.packageId || (group !== null && group === one.group),
    );
    if (!other) continue;
    return other.packageId === one.packageId
      ? wrong(
          message(
            "merge_same_subscription",
            "Both customers subscribe to {package}. Cancel one subscription first.",
            { package: one.name },
          ),
        )
      : wrong(
          message(
            "merge_same_group",
            "{other} and {package} are base packages of the same group. Cancel one subscription first.",
            { other: other.name, package: one.name },
          ),
        );
  }
  return null;
};
