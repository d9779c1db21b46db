import { changeUser } from "@purser/contract/users/endpoints";
import { user } from "@purser/contract/users/fields";
import { changeTeamMember, teamMember } from "@purser/contract/users/team";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";
import { findUser } from "./customers/queries.ts";
import { findTeamMember } from "./team/queries.ts";

export const revertingTeam: Reverting = {
  entity: "users",
  isFor: ({ role }) => role !== null,
  find: findTeamMember,
  reply: teamMember,
  change: changeTeamMember,
};

export const revertingCustomers: Reverting = {
  entity: "users",
  isFor: ({ role }) => role === null,
  // The endpoint itself checks whether the caller can change this user.
  find: (db, id) => findUser(db, "owner", id),
  reply: user,
  change: changeUser,
};

/** Opens the user of a row, which is a user itself or has a `user_id`. */
export const openUser = {
  label: message("open_user", "Open user"),
  pathOf: (id: string, row: Record<string, unknown>) =>
    `/users/view/${typeof row["user_id"] === "string" ? row["user_id"] : id}`,
};

export const userRevertAdvice: RevertAdvice = {
  users: {
    ...openUser,
    detail: message("revert_user", "This change can't be reverted here. Edit the user instead."),
  },
  user_notes: {
    detail: message("revert_note", "Notes can't be edited. Cross out the note and add a new one."),
  },
};
