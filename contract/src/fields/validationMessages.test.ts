import { expect, test } from "vitest";
import { bulkApps } from "../apps/endpoints.ts";
import { appDetails } from "../apps/fields.ts";
import { createAppKey } from "../apps/keys.ts";
import { inviteTeamMember } from "../users/team.ts";
import { changePreferences } from "../workspace/preferences.ts";

const key = { name: "Server", kind: "server", scopes: ["usage:write"] };
const app = { code: "harbor", name: "Harbor" };
const chosen = { id: "01a1dd06-0000-7000-8000-000000000000", version: 1 };

test.each([
  [appDetails, undefined, "", "This field is required."],
  [appDetails, [], "", "Enter an object."],
  [appDetails, { code: "harbor" }, "name", "This field is required."],
  [appDetails, { ...app, name: null }, "name", "This field is required."],
  [appDetails, { ...app, name: 7 }, "name", "Enter text."],
  [appDetails, { ...app, platforms: "web" }, "platforms", "Enter a list."],
  [
    appDetails,
    { ...app, platforms: ["fridge"] },
    "platforms.0",
    "Choose one of web, ios, android, desktop, api.",
  ],
  [appDetails, { ...app, icon: "a".repeat(65) }, "icon", "Use at most 64 characters."],
  [appDetails, { ...app, surprise: 1 }, "", "This field isn't supported. Remove it."],
  [createAppKey.body, { ...key, kind: undefined }, "kind", "Choose one of server, publishable."],
  [createAppKey.body, { ...key, scopes: [] }, "scopes", "This field is required."],
  [
    bulkApps.body,
    { action: "archive", apps: [{ ...chosen, version: 0 }] },
    "apps.0.version",
    "Enter more than 0.",
  ],
  [
    bulkApps.body,
    { action: "archive", apps: [{ ...chosen, version: 1.5 }] },
    "apps.0.version",
    "Enter a whole number.",
  ],
  [
    bulkApps.body,
    { action: "archive", apps: Array(101).fill(chosen) },
    "apps",
    "Choose at most 100.",
  ],
  [changePreferences.body, { singleKeys: "yes" }, "singleKeys", "Choose true or false."],
  [changePreferences.body, { columns: { "A B": [] } }, "columns.A B", "This name isn't valid."],
  [
    changePreferences.body,
    { columns: { apps: [{ id: "name", width: 1 }] } },
    "columns.apps.0.width",
    "Enter at least 64.",
  ],
  [
    inviteTeamMember.body,
    { name: "Ada", role: "owner" },
    "email",
    "Enter an email address, such as name@example.com.",
  ],
])("%#: gives a readable message", (schema, value, path, message) => {
  const issues = schema.safeParse(value).error?.issues.map((issue) => ({
    path: issue.path.join("."),
    message: issue.message,
  }));
  expect(issues).toContainEqual({ path, message });
});
