import { useMay } from "#lib/session/session.ts";
import type { User } from "./queries.ts";

/** Whether this person may be changed here: customers as customers, staff by those who change staff. */
export const useMayEdit = ({ role, status }: Pick<User, "role" | "status">) => {
  const [ofCustomers, ofStaff] = [useMay("users:write"), useMay("staff:write")];
  if (status === "erased") return false;
  return role === null ? ofCustomers : ofStaff;
};
