import {
  allows,
  type Permission,
  permissions,
  roles,
} from "../../contract/src/auth/permissions.ts";
import { endpoints } from "../../contract/src/endpoints.ts";
import type { Endpoint } from "../../contract/src/http/endpoint.ts";
import { code, tableOf } from "./markdown.ts";

const names = Object.keys(permissions) as Permission[];
/** By path, because the order of exports depends on how modules are loaded. */
const all = Object.values(endpoints).toSorted(
  (one, other) =>
    one.path.localeCompare(other.path, "en") || one.method.localeCompare(other.method, "en"),
);

/** Permissions × roles. */
export const roleTable = () =>
  tableOf(
    ["permission", ...roles],
    names.map((name) => [code(name), ...roles.map((role) => (allows(role, name) ? "yes" : ""))]),
  );

const summariesOf = (permission: Permission) => {
  const found = all.filter((endpoint) => endpoint.permission === permission);
  return [...new Set(found.map(({ summary }) => summary))].sort().join(" · ");
};

/** What each permission is for, by the endpoints that require it. */
export const permissionTable = () =>
  tableOf(
    ["permission", "required to"],
    names.map((name) => [code(name), summariesOf(name)]),
  );

const requirementsOf = ({ versioned, proof, approval, publishable, keyScope }: Endpoint) =>
  [
    ...(versioned ? ["`If-Match`"] : []),
    ...(proof ? ["recent confirmation"] : []),
    ...(approval ? ["may require approval"] : []),
    ...(publishable ? ["also for publishable keys"] : []),
    ...(keyScope ? [`also for server keys with ${code(keyScope)}`] : []),
  ].join(", ");

const areaOf = ({ path }: Endpoint) => path.split("/")[1] ?? "";

/** Every endpoint, by the first part of its path. */
export const endpointTables = () =>
  [...Map.groupBy(all, areaOf)]
    .sort(([one], [other]) => one.localeCompare(other, "en"))
    .map(([area, within]) => {
      const rows = within.map((endpoint) => [
        code(`${endpoint.method} ${endpoint.path}`),
        endpoint.summary,
        endpoint.permission.includes(":") ? code(endpoint.permission) : endpoint.permission,
        requirementsOf(endpoint),
      ]);
      return `### ${area}\n${tableOf(["endpoint", "purpose", "access", "notes"], rows)}`;
    })
    .join("\n\n");
