import { z } from "zod";
import { record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { actionBody, bulkReply, bulkTargets } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
import { previewBulk, startBulk, startExport } from "../http/listJobs.ts";
import { sumsOf, sumsQuery } from "../http/sums.ts";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import { newUser, user, userColumns, userDetails, userListFields } from "./fields.ts";

export const listUsers = endpoint({
  method: "GET",
  path: "/users",
  summary: "List users",
  permission: "users:read",
  query: listQuery(userListFields),
  reply: pageOf(user),
});

/** What customers have paid, by currency. `rows` are those who paid in it. */
export const sumUsers = endpoint({
  method: "GET",
  path: "/users/sums",
  summary: "Add up what users have spent by currency",
  permission: "users:read",
  query: sumsQuery(userListFields),
  reply: sumsOf(["total", "refunded"]),
});

export const countUsers = endpoint({
  method: "GET",
  path: "/users/counts",
  summary: "Count users by type",
  permission: "users:read",
  reply: z.object({ everyone: rowCount, customers: rowCount, team: rowCount.nullable() }),
});

export const exportUsers = endpoint({
  method: "GET",
  path: "/users/export",
  summary: "Export users as CSV or JSON lines",
  permission: "users:export",
  proof: "recent",
  query: exportQuery(userListFields, userColumns),
  reply: plain,
  file: true,
});

export const startUsersExport = startExport("users", exportUsers);

export const getUser = endpoint({
  method: "GET",
  path: "/users/:id",
  summary: "Retrieve a user",
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
  summary: "Update a customer",
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
  summary: "Suspend a customer",
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
  summary: "Restore a suspended customer",
  permission: "users:write",
  params: record,
  body: actionBody,
  reply: user,
  versioned: true,
  refusals: ["wrong_state"],
});

const userBulkActions = ["suspend", "restore"] as const;
export type UserAction = (typeof userBulkActions)[number];

export const previewBulkUsers = previewBulk("users", userListFields, userBulkActions);
export const startBulkUsers = startBulk("users", userListFields, userBulkActions);

export const bulkUsers = endpoint({
  method: "POST",
  path: "/users/bulk",
  summary: "Suspend or restore up to 100 customers",
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
  summary: "List a user's activity",
  permission: "users:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
