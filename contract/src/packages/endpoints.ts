import { z } from "zod";
import { record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import { packageColumns, packageDetails, packageListFields, packageReply } from "./fields.ts";

export const listPackages = endpoint({
  method: "GET",
  path: "/packages",
  summary: "List packages",
  permission: "packages:read",
  query: listQuery(packageListFields),
  reply: pageOf(packageReply),
});

export const countPackages = endpoint({
  method: "GET",
  path: "/packages/counts",
  summary: "Count packages by status, each exact up to 10,000",
  permission: "packages:read",
  reply: z.object({ draft: rowCount, active: rowCount, archived: rowCount }),
});

export const exportPackages = endpoint({
  method: "GET",
  path: "/packages/export",
  summary: "Take packages away as a file: CSV, or one JSON document per line",
  permission: "packages:read",
  query: exportQuery(packageListFields, packageColumns),
  reply: plain,
  file: true,
});

export const getPackage = endpoint({
  method: "GET",
  path: "/packages/:id",
  summary: "Read a package",
  permission: "packages:read",
  params: record,
  reply: packageReply,
});

export const createPackage = endpoint({
  method: "POST",
  path: "/packages",
  summary: "Create a package with a first draft",
  permission: "packages:write",
  body: packageDetails,
  reply: packageReply,
  status: 201,
  refusals: ["taken"],
});

export const changePackage = endpoint({
  method: "PUT",
  path: "/packages/:id",
  summary: "Change a package; other terms than those on sale go into its draft",
  permission: "packages:write",
  params: record,
  body: packageDetails,
  reply: packageReply,
  versioned: true,
  refusals: ["taken", "code_frozen", "wrong_state"],
});

export const archivePackage = endpoint({
  method: "POST",
  path: "/packages/:id/archive",
  summary: "Archive a package: nobody can buy it; subscribers keep what they have",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: packageReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restorePackage = endpoint({
  method: "POST",
  path: "/packages/:id/restore",
  summary: "Make an archived package active again",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: packageReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deletePackage = endpoint({
  method: "DELETE",
  path: "/packages/:id",
  summary: "Delete a package that was never published",
  permission: "packages:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});

export const getPackageActivity = endpoint({
  method: "GET",
  path: "/packages/:id/activity",
  summary: "List what happened to a package, its versions and their parts, newest first",
  permission: "packages:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
