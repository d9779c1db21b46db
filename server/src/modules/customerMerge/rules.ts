import type { UserStatus } from "@purser/contract/users/fields";

type Refusal = { code: "wrong_state"; detail: string };

const wrong = (detail: string): Refusal => ({ code: "wrong_state", detail });

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
      ? wrong(`${to.name} has ${other.package.name} already. End one of the two first.`)
      : wrong(
          `${to.name} has ${other.package.name}, and nobody has two base packages of one group. ` +
            `End ${other.package.name} or ${one.package.name} first.`,
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
    return wrong(`${name} was merged into another record. Move the rights of that one.`);
  if (id === to.id) return wrong("They have these rights already. Name another person.");
  return asked === found
    ? null
    : wrong("One of these rights has ended or was moved meanwhile. Look at them again.");
};

export const refusalToMerge = (stays: Known, goes: Known): Refusal | null => {
  if (stays.id === goes.id) return wrong("This is the same record. Name the other one.");
  if (goes.mergedInto !== null) return wrong(`${goes.name} was merged into a record already.`);
  if (stays.mergedInto !== null)
    return wrong(`${stays.name} was merged into another record. Merge into that one.`);
  for (const one of [stays, goes])
    if (one.status === "erased")
      return wrong("One of the records was erased. What was erased is not merged.");
  if (stays.status === "suspended")
    return wrong(`${stays.name} is suspended. Let them in again, then merge.`);
  if (stays.role !== null && goes.role !== null)
    return wrong("Both are members of staff. Take one of them their role first.");
  return goes.role === null
    ? null
    : wrong("A member of staff is not closed by a merge. Merge the other way round.");
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
      ? wrong(`Both subscribe to ${one.name}. Cancel one of the two first.`)
      : wrong(
          `One subscribes to ${other.name}, the other to ${one.name}: two base packages of one group. ` +
            "Cancel one of the two first.",
        );
  }
  return null;
};
