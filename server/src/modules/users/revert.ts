import { changeUser } from "@purser/contract/users/endpoints";
import { user } from "@purser/contract/users/fields";
import { changeStaffMember, staffMember } from "@purser/contract/users/team";
import type { Reverting } from "#platform/audit/revert.ts";
import { findUser } from "./customers.ts";
import { findStaffMember } from "./staffQueries.ts";

export const revertingStaff: Reverting = {
  entity: "users",
  isFor: ({ role }) => role !== null,
  find: findStaffMember,
  reply: staffMember,
  change: changeStaffMember,
};

export const revertingCustomers: Reverting = {
  entity: "users",
  isFor: ({ role }) => role === null,
  // The call itself decides whom the caller may change.
  find: (db, id) => findUser(db, "owner", id),
  reply: user,
  change: changeUser,
};
