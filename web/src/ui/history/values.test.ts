import { expect, test } from "vitest";
import type { Entry } from "#ui/record/Activity.tsx";
import { valueLabel } from "./values.ts";

const show = (entity: string, field: string, value: unknown, changes: Entry["changes"] = []) =>
  valueLabel({ entity, changes } as unknown as Entry, field, "UTC")(value);

test.each([
  ["users", "role", "catalogue", "Catalog"],
  ["settings", "secondFactorRoles", ["owner", "catalogue"], "Owner and Catalog"],
  ["approvals", "permission", "staff:write", "Manage the team"],
  ["apps", "status", "draft", "Draft"],
  ["apps", "status", "retired in 2019", "retired in 2019"],
  ["users", "country", "IS", "Iceland"],
  ["promotions", "basisPoints", 1250, "12.5%"],
  ["promotions", "needsCode", true, "Yes"],
  ["promotions", "duration", "for ever", "Every payment"],
  ["grants", "source", "staff", "Manual"],
  ["grants", "endsAt", "infinity", "No end"],
  ["package_versions", "rollout", { at: null, mode: "new buyers" }, "New customers only"],
  [
    "package_versions",
    "rollout",
    { at: "2026-12-01T09:00:00Z", mode: "date" },
    "Time: Dec 1, 2026, 9:00:00 AM UTC, Rollout: Everyone on a set date",
  ],
  ["settings", "grantLimits", { admin: { days: null, packages: [] } }, "None"],
  ["settings", "grantLimits", { admin: {}, support: { days: 90 } }, "Support: 90"],
  [
    "settings",
    "seller",
    { name: "Northquay OÜ", city: "Tallinn", lines: [] },
    "Name: Northquay OÜ, City: Tallinn",
  ],
  [
    "features",
    "options",
    [
      { code: "a", name: "One coast" },
      { code: "b", name: "World" },
    ],
    "One coast and World",
  ],
  ["apps", "activatedAt", "2026-11-16T14:30:00Z", "Nov 16, 2026, 2:30:00 PM UTC"],
])("shows %s.%s %j as %j", (entity, field, value, label) => {
  expect(show(entity, field, value)).toBe(label);
});

test("formats amounts if the entry has the currency", () => {
  const changes = [{ field: "currency", before: null, after: "EUR" }];
  expect(show("transactions", "total", 125_000, changes)).toBe("1,250.00");
  expect(show("transactions", "refunded", 125_000)).toBe("125,000");
});
