import type { Message } from "@purser/contract/messages/message";
import type { User } from "@purser/contract/users/fields";
import { message } from "#platform/messages.ts";

type Refusal = { code: "wrong_state"; detail: Message };

type Known = Pick<User, "name" | "role" | "status" | "mergedIntoId">;

export const refusalToErase = ({ name, role, status, mergedIntoId }: Known): Refusal | null => {
  if (status === "erased")
    return {
      code: "wrong_state",
      detail: message("customer_already_erased", "This customer was already erased."),
    };
  if (mergedIntoId !== null)
    return {
      code: "wrong_state",
      detail: message(
        "erase_merged",
        "{customer} was merged into another record. Erase that record to erase both.",
        { customer: name },
      ),
    };
  if (role !== null)
    return {
      code: "wrong_state",
      detail: message(
        "erase_team_member",
        "{name} is a team member. Remove them from the team first.",
        { name },
      ),
    };
  return null;
};

export const refusalToExport = ({ status }: Pick<Known, "status">): Refusal | null =>
  status === "erased"
    ? {
        code: "wrong_state",
        detail: message(
          "export_erased",
          "This customer was erased. No personal data is left to export.",
        ),
      }
    : null;
