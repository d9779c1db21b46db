import { z } from "zod";
import { record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
import { previewBulk, startBulk, startExport } from "../http/listJobs.ts";
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
  summary: "Count packages by status",
  permission: "packages:read",
  reply: z.object({ draft: rowCount, active: rowCount, archived: rowCount }),
});

export const exportPackages = endpoint({
  method: "GET",
  path: "/packages/export",
  summary: "Export packages as CSV or JSON lines",
  permission: "packages:export",
  proof: "recent",
  query: exportQuery(packageListFields, packageColumns),
  reply: plain,
  file: true,
});

export const startPackagesExport = startExport("packages", exportPackages);

const bulkJobActions = ["archive", "restore"] as const;

export const previewBulkPackages = previewBulk("packages", packageListFields, bulkJobActions);
export const startBulkPackages = startBulk("packages", packageListFields, bulkJobActions);

export const getPackage = endpoint({
  method: "GET",
  path: "/packages/:id",
  summary: "Retrieve a package",
  permission: "packages:read",
  params: record,
  reply: packageReply,
});

export const createPackage = endpoint({
  method: "POST",
  path: "/packages",
  summary: "Create a package with a draft version",
  permission: "packages:write",
  body: packageDetails,
  reply: packageReply,
  status: 201,
  refusals: ["taken"],
});

export const changePackage = endpoint({
  method: "PUT",
  path: "/packages/:id",
  summary: "Update a package and, if its terms differ, its draft",
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
  summary: "Archive a package",
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
  summary: "Restore an archived package",
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
  summary: "List a package's activity",
  permission: "packages:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
