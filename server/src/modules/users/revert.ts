import { changeUser } from "@purser/contract/users/endpoints";
import { user } from "@purser/contract/users/fields";
import { changeTeamMember, teamMember } from "@purser/contract/users/team";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
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
  label: "Open the person",
  pathOf: (id: string, row: Record<string, unknown>) =>
    `/users/view/${typeof row["user_id"] === "string" ? row["user_id"] : id}`,
};

export const userRevertAdvice: RevertAdvice = {
  users: {
    ...openUser,
    detail: "What is kept of a person is changed at the person, so that the same rules hold.",
  },
  user_notes: { detail: "A note stays as it was written. Strike it, and write another." },
};
