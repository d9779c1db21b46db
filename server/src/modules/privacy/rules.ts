import type { User } from "@purser/contract/users/fields";

type Refusal = { code: "wrong_state"; detail: string };

type Known = Pick<User, "name" | "role" | "status" | "mergedIntoId">;

export const refusalToErase = ({ name, role, status, mergedIntoId }: Known): Refusal | null => {
  if (status === "erased")
    return { code: "wrong_state", detail: "This person was erased already." };
  if (mergedIntoId !== null)
    return {
      code: "wrong_state",
      detail: `${name} was merged into another record. Erase that one: both go together.`,
    };
  if (role !== null)
    return {
      code: "wrong_state",
      detail: `${name} works in this office. Remove ${name} from the staff first.`,
    };
  return null;
};

export const refusalToExport = ({ status }: Pick<Known, "status">): Refusal | null =>
  status === "erased"
    ? { code: "wrong_state", detail: "This person was erased: nothing is left that tells of them." }
    : null;
