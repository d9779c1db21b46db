import { allows, type Holder, type Role } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { UserAction } from "@purser/contract/users/endpoints";
import type { User } from "@purser/contract/users/fields";
import { message } from "#platform/messages.ts";

type Refusal = {
  code: "wrong_state" | "frozen" | "forbidden";
  detail: Message;
};

const wrongState = (detail: Message): Refusal => ({ code: "wrong_state", detail });

type Known = Pick<User, "role" | "status">;

/** Refuses team members and erased users, who can't be changed as customers. */
const refusalOfUser = ({ role, status }: Known): Refusal | null => {
  if (role !== null)
    return wrongState(
      message(
        "user_is_team_member",
        "This user is a team member. An owner can change them on the Team tab.",
      ),
    );
  if (status === "erased")
    return wrongState(
      message("customer_erased_locked", "This customer was erased and can't be changed."),
    );
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
        detail: message(
          "external_id_frozen",
          "Your apps identify this customer as {externalId}. The external ID can't be changed.",
          { externalId: stored.externalId },
        ),
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
      message(
        "customer_merged",
        "This customer was merged into another one. Open that customer instead.",
      ),
    );
  if (action === "suspend" && stored.status === "suspended")
    return wrongState(message("customer_already_suspended", "This customer is already suspended."));
  if (action === "restore" && stored.status !== "suspended")
    return wrongState(
      message("customer_not_suspended", "Only suspended customers can be reactivated."),
    );
  return null;
};

export type Owner = Pick<User, "name" | "number" | "role">;

/** Team members are visible only to roles with team:read. */
export const mayKnow = (of: Role | Holder, { role }: Pick<User, "role">) =>
  role === null || allows(of, "team:read");

/** Names the user with the taken value, unless the caller can't see that user. */
export const refusalOfTaken = (
  field: "email" | "externalId",
  owner: Owner,
  of: Role | Holder,
): Message => {
  const { name, number } = owner;
  if (field === "email")
    return mayKnow(of, owner)
      ? message(
          "email_taken_by",
          "{name} ({number}) already has this email address. Open that user instead.",
          { name, number },
        )
      : message("email_taken", "This email address is already in use. Choose another one.");
  return mayKnow(of, owner)
    ? message(
        "external_id_taken_by",
        "{name} ({number}) already has this external ID. Open that user instead.",
        { name, number },
      )
    : message("external_id_taken", "This external ID is already in use. Choose another one.");
};
