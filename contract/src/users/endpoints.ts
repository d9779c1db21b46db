import { z } from "zod";
import { record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { actionBody, bulkReply, bulkTargets } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import { newUser, user, userColumns, userDetails, userListFields } from "./fields.ts";

export const listUsers = endpoint({
  method: "GET",
  path: "/users",
  summary:
    "List people, found by how their address, external id or number begins or by any part of their name; staff only to those who may read staff",
  permission: "users:read",
  query: listQuery(userListFields),
  reply: pageOf(user),
});

export const countUsers = endpoint({
  method: "GET",
  path: "/users/counts",
  summary: "Count people, each exact up to 10,000; staff is null to those who may not read staff",
  permission: "users:read",
  reply: z.object({ everyone: rowCount, customers: rowCount, team: rowCount.nullable() }),
});

export const exportUsers = endpoint({
  method: "GET",
  path: "/users/export",
  summary: "Take people away as a file: CSV, or one JSON document per line",
  permission: "users:read",
  query: exportQuery(userListFields, userColumns),
  reply: plain,
  file: true,
});

export const getUser = endpoint({
  method: "GET",
  path: "/users/:id",
  summary: "Read a person",
  permission: "users:read",
  params: record,
  reply: user,
});

export const createUser = endpoint({
  method: "POST",
  path: "/users",
  summary: "Create a customer",
  permission: "users:write",
  body: newUser,
  reply: user,
  status: 201,
  refusals: ["taken"],
});

export const changeUser = endpoint({
  method: "PUT",
  path: "/users/:id",
  summary: "Change what is known of a customer; an external id is set once",
  permission: "users:write",
  params: record,
  body: userDetails,
  reply: user,
  versioned: true,
  refusals: ["taken", "frozen", "wrong_state"],
});

export const suspendUser = endpoint({
  method: "POST",
  path: "/users/:id/suspend",
  summary: "Suspend a customer: they may use nothing until they are restored",
  permission: "users:write",
  params: record,
  body: actionBody,
  reply: user,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restoreUser = endpoint({
  method: "POST",
  path: "/users/:id/restore",
  summary: "Let a suspended customer use again what they hold",
  permission: "users:write",
  params: record,
  body: actionBody,
  reply: user,
  versioned: true,
  refusals: ["wrong_state"],
});

const userBulkActions = ["suspend", "restore"] as const;
export type UserAction = (typeof userBulkActions)[number];

export const bulkUsers = endpoint({
  method: "POST",
  path: "/users/bulk",
  summary: "Do the same to up to 100 customers; those that refuse stay as they are and say why",
  permission: "users:write",
  body: z.strictObject({
    action: z.enum(userBulkActions),
    users: bulkTargets,
    reason: reason.optional(),
  }),
  reply: bulkReply(user),
});

export const getUserActivity = endpoint({
  method: "GET",
  path: "/users/:id/activity",
  summary: "List what happened to a person, their rights, subscriptions and notes, newest first",
  permission: "users:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
