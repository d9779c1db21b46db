import { allows, type Role } from "@purser/contract/auth/permissions";
import type { UserAction } from "@purser/contract/users/endpoints";
import type { User } from "@purser/contract/users/fields";
import type { UserNote } from "@purser/contract/users/notes";

type Refusal = {
  code: "wrong_state" | "frozen" | "forbidden";
  detail: string;
};

const wrongState = (detail: string): Refusal => ({ code: "wrong_state", detail });

type Known = Pick<User, "role" | "status">;

/** Refuses team members and erased users, who can't be changed as customers. */
const refusalOfUser = ({ role, status }: Known): Refusal | null => {
  if (role !== null)
    return wrongState("This person works here. An owner changes them among the staff.");
  if (status === "erased") return wrongState("This person was erased. Nothing of them can change.");
  return null;
};

/** Refuses to replace an external ID, because the sold apps depend on it. */
export const refusalToChange = (
  stored: Known & Pick<User, "externalId">,
  next: Pick<User, "externalId">,
): Refusal | null => {
  const refusal = refusalOfUser(stored);
  if (refusal) return refusal;
  return stored.externalId !== null && next.externalId !== stored.externalId
    ? {
        code: "frozen",
        detail: `The sold apps know this person as "${stored.externalId}". It was set once, and stays.`,
      }
    : null;
};

export const statusAfter = { suspend: "suspended", restore: "active" } as const;

type Actable = Known & Pick<User, "mergedIntoId">;

export const refusalToAct = (stored: Actable, action: UserAction): Refusal | null => {
  const refusal = refusalOfUser(stored);
  if (refusal) return refusal;
  if (stored.mergedIntoId !== null)
    return wrongState(
      "This record was merged into another one and stays closed. Open that one instead.",
    );
  if (action === "suspend" && stored.status === "suspended")
    return wrongState("This person is already suspended.");
  if (action === "restore" && stored.status !== "suspended")
    return wrongState(`Only a suspended person can be restored. This one is ${stored.status}.`);
  return null;
};

export const refusalToCrossOut = (
  { author, crossedOutAt }: Pick<UserNote, "author" | "crossedOutAt">,
  actorId: string,
): Refusal | null => {
  if (author.id !== actorId)
    return {
      code: "forbidden",
      detail: `${author.name} wrote this note, and nobody else may strike it. Write one beside it.`,
    };
  return crossedOutAt ? wrongState("This note is already struck.") : null;
};

type Owner = Pick<User, "name" | "number" | "role">;

/** Team members are visible only to roles with team:read. */
export const mayKnow = (of: Role, { role }: Pick<User, "role">) =>
  role === null || allows(of, "team:read");

/** Names the user with the taken value, unless the caller can't see that user. */
export const sentenceOfTaken = (what: string, owner: Owner, of: Role) =>
  mayKnow(of, owner)
    ? `${owner.name} (${owner.number}) already has this ${what}. Open that person instead.`
    : `Somebody already has this ${what}. Choose another.`;
