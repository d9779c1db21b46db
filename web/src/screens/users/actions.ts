import {
  actOnUsers,
  restoreUser,
  suspendUser,
  type UserAction,
} from "@purser/contract/users/endpoints";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { toast } from "#ui/popups/toast.ts";
import { nameOf, type User, userSaved, usersChanged } from "./queries.ts";

export const restore = async (user: User) => {
  const { id, version } = user;
  userSaved(await call(restoreUser, { params: { id }, version, body: {} }));
  toast(`${nameOf(user)} may use again what they hold.`);
};

const suspend = async (user: User, reason: string) => {
  const { id, version } = user;
  const body = reason ? { reason } : {};
  const suspended = await call(suspendUser, { params: { id }, version, body });
  userSaved(suspended);
  toast(`${nameOf(user)} is suspended.`, { label: "Undo", run: () => restore(suspended) });
};

const past = { suspend: "suspended", restore: "restored" } as const;

const applyToMany = async (act: UserAction, users: User[], reason = "") => {
  const meant = users.map(({ id, version }) => ({ id, version }));
  const body = { act, users: meant, ...(reason && { reason }) };
  const { done, refused } = await call(actOnUsers, { body });
  await usersChanged();
  const [first] = refused;
  const told = first
    ? ` ${count(refused.length, "user")} stayed: ${first.name || "one"}: ${first.detail}`
    : "";
  const undo =
    act === "suspend" && done.length > 0
      ? { label: "Undo", run: () => applyToMany("restore", done) }
      : undefined;
  toast(`${count(done.length, "user")} ${past[act]}.${told}`, undo);
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
