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
  isFor: ({ role, is_service: isService }) => role !== null && isService !== true,
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
    row["is_service"] === true
      ? "/settings"
      : `/users/view/${typeof row["user_id"] === "string" ? row["user_id"] : id}`,
};

const serviceAccountAdvice = {
  label: message("open_service_accounts", "Open service accounts"),
  pathOf: () => "/settings",
  detail: message(
    "revert_service_account",
    "This change can't be reverted here. Edit the service account in the settings instead.",
  ),
};

export const userRevertAdvice: RevertAdvice = {
  service_accounts: serviceAccountAdvice,
  service_keys: {
    ...serviceAccountAdvice,
    detail: message(
      "revert_service_key",
      "Keys can't be restored. Create a new one in the settings instead.",
    ),
  },
  users: {
    ...openUser,
    detail: message("revert_user", "This change can't be reverted here. Edit the user instead."),
  },
  user_notes: {
    detail: message("revert_note", "Notes can't be edited. Cross out the note and add a new one."),
  },
};
