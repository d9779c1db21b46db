import { plural, t } from "@lingui/core/macro";
import {
  bulkUsers,
  restoreUser,
  suspendUser,
  type UserAction,
} from "@purser/contract/users/endpoints";
import { call } from "#lib/api/call.ts";
import { toast, undoAction } from "#ui/popups/toast.ts";
import { withSkipped } from "#ui/record/skipped.ts";
import { nameOf, type User, userSaved, usersChanged } from "./queries.ts";

export const restore = async (user: User) => {
  const { id, version } = user;
  userSaved(await call(restoreUser, { params: { id }, version, body: {} }));
  const name = nameOf(user);
  toast(t`${name} reactivated`);
};

const suspend = async (user: User, reason: string) => {
  const { id, version } = user;
  const body = reason ? { reason } : {};
  const suspended = await call(suspendUser, { params: { id }, version, body });
  userSaved(suspended);
  const name = nameOf(user);
  toast(
    t`${name} suspended`,
    undoAction(() => restore(suspended)),
  );
};

const doneText: Record<UserAction, (count: number) => string> = {
  suspend: (count) => plural(count, { one: "# user suspended", other: "# users suspended" }),
  restore: (count) => plural(count, { one: "# user reactivated", other: "# users reactivated" }),
};

const applyToMany = async (action: UserAction, users: User[], reason = "") => {
  const meant = users.map(({ id, version }) => ({ id, version }));
  const body = { action, users: meant, ...(reason && { reason }) };
  const { done, refused } = await call(bulkUsers, { body });
  await usersChanged();
  const undo =
    action === "suspend" && done.length > 0
      ? undoAction(() => applyToMany("restore", done))
      : undefined;
  toast(await withSkipped(doneText[action](done.length), refused), undo);
};

const isOne = (users: User[]): users is [User] => users.length === 1;

/** Suspends one or more customers; the toast names the first one that was refused. */
export const suspendAll = (users: User[], reason: string) =>
  isOne(users) ? suspend(users[0], reason) : applyToMany("suspend", users, reason);

export const restoreAll = (users: User[]) =>
  isOne(users) ? restore(users[0]) : applyToMany("restore", users);

type Known = Pick<User, "role" | "status" | "mergedIntoId">;

/**
 * Only for customers: team members are suspended on their own page, and a merged record can't be
 * reopened.
 */
export const stepOf = ({ role, status, mergedIntoId }: Known): UserAction | null => {
  if (role !== null || status === "erased" || mergedIntoId !== null) return null;
  return status === "suspended" ? "restore" : "suspend";
};
