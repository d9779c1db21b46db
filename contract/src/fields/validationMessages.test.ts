import { expect, test } from "vitest";
import { actOnApps } from "../apps/endpoints.ts";
import { appDetails } from "../apps/fields.ts";
import { createAppKey } from "../apps/keys.ts";
import { inviteStaffMember } from "../users/team.ts";
import { changePreferences } from "../workspace/preferences.ts";

const key = { name: "Server", kind: "server", scopes: ["usage:write"] };
const app = { code: "harbor", name: "Harbor" };
const chosen = { id: "01a1dd06-0000-7000-8000-000000000000", version: 1 };

test.each([
  [appDetails, undefined, "", "must not be empty"],
  [appDetails, [], "", "must be an object"],
  [appDetails, { code: "harbor" }, "name", "must not be empty"],
  [appDetails, { ...app, name: null }, "name", "must not be empty"],
  [appDetails, { ...app, name: 7 }, "name", "must be text"],
  [appDetails, { ...app, platforms: "web" }, "platforms", "must be a list"],
  [
    appDetails,
    { ...app, platforms: ["fridge"] },
    "platforms.0",
    "must be one of web, ios, android, desktop, api",
  ],
  [appDetails, { ...app, icon: "a".repeat(65) }, "icon", "must have at most 64 characters"],
  [appDetails, { ...app, surprise: 1 }, "", "is not known here; leave it out"],
  [createAppKey.body, { ...key, kind: undefined }, "kind", "must be one of server, publishable"],
  [createAppKey.body, { ...key, scopes: [] }, "scopes", "must not be empty"],
  [
    actOnApps.body,
    { act: "archive", apps: [{ ...chosen, version: 0 }] },
    "apps.0.version",
    "must be more than 0",
  ],
  [
    actOnApps.body,
    { act: "archive", apps: [{ ...chosen, version: 1.5 }] },
    "apps.0.version",
    "must be a whole number",
  ],
  [
    actOnApps.body,
    { act: "archive", apps: Array(101).fill(chosen) },
    "apps",
    "must have at most 100 entries",
  ],
  [changePreferences.body, { singleKeys: "yes" }, "singleKeys", "must be true or false"],
  [
    changePreferences.body,
    { columns: { "A B": [] } },
    "columns.A B",
    "has a name that cannot be used",
  ],
  [
    changePreferences.body,
    { columns: { apps: [{ id: "name", width: 1 }] } },
    "columns.apps.0.width",
    "must be at least 64",
  ],
  [
    inviteStaffMember.body,
    { name: "Ada", role: "owner" },
    "email",
    "must be an address such as name@example.com",
  ],
])("%#: gives a readable message", (schema, value, path, message) => {
  const issues = schema.safeParse(value).error?.issues.map((issue) => ({
    path: issue.path.join("."),
    message: issue.message,
  }));
  expect(issues).toContainEqual({ path, message });
});
