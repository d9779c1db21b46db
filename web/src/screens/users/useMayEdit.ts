import { useMay } from "#lib/session/session.ts";
import type { User } from "./queries.ts";

/** Customers and team members need different permissions to edit. */
export const useMayEdit = ({ role, status }: Pick<User, "role" | "status">) => {
  const [ofCustomers, ofTeam] = [useMay("users:write"), useMay("team:write")];
  if (status === "erased") return false;
  return role === null ? ofCustomers : ofTeam;
};
