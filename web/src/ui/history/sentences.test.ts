import { expect, test } from "vitest";
import { type Happened, mainOf, type Names } from "./action.ts";
import { tell } from "./sentences.ts";

const ids = {
  ada: "019a0000-0000-7000-8000-000000000001",
  studio: "019a0000-0000-7000-8000-000000000002",
  version: "019a0000-0000-7000-8000-000000000003",
  seats: "019a0000-0000-7000-8000-000000000004",
  other: "019a0000-0000-7000-8000-000000000009",
};

const names: Names = {
  [ids.ada]: { entity: "users", name: "Ada Example", parentId: null },
  [ids.studio]: { entity: "packages", name: "Studio", parentId: null },
  [ids.version]: { entity: "package_versions", name: "Studio v4", parentId: ids.studio },
  [ids.seats]: { entity: "features", name: "Seats", parentId: null },
};

type Given = Partial<Happened> & Pick<Happened, "entity">;

const entryOf = (given: Given): Happened => ({
  recordId: ids.other,
  action: "update",
  changes: [],
  label: "Harbor",
  ...given,
});

const said = (...given: Given[]) => {
  const main = mainOf(given.map(entryOf));
  const { say, name } = tell(main ?? entryOf({ entity: "" }), names, "(no name)");
  return say("Viggo", name);
};

const change = (field: string, before: unknown, after: unknown) => [{ field, before, after }];
const version = { recordId: ids.version, label: "Studio v4" };
const ofAda = { userId: ids.ada, packageId: ids.studio };
const payment = { ...ofAda, currency: "EUR", total: 5900 };
const insert = "insert" as const;

test.each<[string, Given[]]>([
  [
    "Viggo commented on Studio",
    [{ entity: "user_notes", action: insert, facts: { entity: "packages", recordId: ids.studio } }],
  ],
  [
    "Viggo crossed out a comment on Studio",
    [{ entity: "user_notes", facts: { entity: "packages", recordId: ids.studio } }],
  ],
  ["Viggo exported a report", [{ entity: "exports", action: insert, label: "report" }]],
  ["Viggo exported journal", [{ entity: "exports", action: insert, label: "journal" }]],
  ["Viggo created app Harbor", [{ entity: "apps", action: insert }]],
  ["Viggo changed app Harbor", [{ entity: "apps", changes: change("name", "Dock", "Harbor") }]],
  [
    "Viggo activated app Harbor",
    [{ entity: "apps", changes: change("status", "draft", "active") }],
  ],
  [
    "Viggo restored app Harbor",
    [{ entity: "apps", changes: change("status", "archived", "active") }],
  ],
  [
    "Viggo suspended app Harbor",
    [{ entity: "apps", changes: change("suspendedAt", null, "2026-11-14T10:00:00Z") }],
  ],
  [
    "Viggo resumed app Harbor",
    [{ entity: "apps", changes: change("suspendedAt", "2026-11-14T10:00:00Z", null) }],
  ],
  [
    "Viggo published Studio v4",
    [
      {
        entity: "package_versions",
        label: "Studio v3",
        changes: change("state", "on sale", "superseded"),
      },
      { entity: "package_versions", ...version, changes: change("state", "draft", "on sale") },
      { entity: "packages", recordId: ids.studio, changes: change("status", "draft", "active") },
    ],
  ],
  [
    "Viggo edited the draft of Studio v4",
    [
      { entity: "packages", recordId: ids.studio },
      { entity: "version_prices", ...version, changes: change("EUR every 1 month", 3400, 3600) },
    ],
  ],
  [
    "Viggo created package Studio",
    [
      { entity: "package_versions", ...version, action: insert },
      { entity: "packages", recordId: ids.studio, action: insert },
      { entity: "version_prices", ...version, action: insert },
    ],
  ],
  [
    "Viggo took Studio v4 off sale",
    [{ entity: "package_versions", ...version, changes: change("state", "on sale", "retired") }],
  ],
  [
    "Viggo recorded payment of 59.00 EUR from Ada Example",
    [
      { entity: "grants", action: insert, facts: ofAda },
      { entity: "users", recordId: ids.ada, action: insert },
      { entity: "transactions", action: insert, facts: { ...payment, kind: "purchase" } },
    ],
  ],
  [
    "Viggo refunded 59.00 EUR to Ada Example",
    [
      {
        entity: "transactions",
        facts: { ...payment, kind: "purchase" },
        changes: change("refunded", 0, 5900),
      },
      { entity: "transactions", action: insert, facts: { ...payment, kind: "refund" } },
    ],
  ],
  [
    "Viggo recorded a failed payment of 59.00 EUR from Ada Example",
    [{ entity: "transactions", facts: payment, changes: change("state", "pending", "failed") }],
  ],
  [
    "Viggo added 5.00 EUR to the balance of Ada Example",
    [
      {
        entity: "balance_entries",
        action: insert,
        facts: { ...ofAda, currency: "EUR", amount: 500 },
      },
    ],
  ],
  ["Viggo granted Studio to Ada Example", [{ entity: "grants", action: insert, facts: ofAda }]],
  [
    "Viggo granted Seats to Ada Example",
    [{ entity: "grants", action: insert, facts: { userId: ids.ada, featureId: ids.seats } }],
  ],
  [
    "Viggo revoked Studio of Ada Example",
    [
      {
        entity: "grants",
        facts: ofAda,
        changes: change("revokedAt", null, "2026-11-14T10:00:00Z"),
      },
    ],
  ],
  [
    "Viggo canceled Studio of Ada Example",
    [{ entity: "subscriptions", facts: ofAda, changes: change("status", "active", "ending") }],
  ],
  [
    "Viggo granted Studio to a customer",
    [{ entity: "grants", action: insert, facts: { ...ofAda, userId: ids.other } }],
  ],
  ["Viggo created customer Ada Example", [{ entity: "users", recordId: ids.ada, action: insert }]],
  [
    "Viggo invited Ada Example",
    [{ entity: "users", recordId: ids.ada, action: insert, facts: { role: "viewer" } }],
  ],
  [
    "Ada Example signed in for the first time",
    [
      { entity: "passwords", action: insert, label: ids.other },
      {
        entity: "users",
        recordId: ids.ada,
        facts: { role: "viewer" },
        changes: change("status", "invited", "active"),
      },
    ],
  ],
  [
    "Viggo reactivated team member Ada Example",
    [
      {
        entity: "users",
        recordId: ids.ada,
        facts: { role: "viewer" },
        changes: change("status", "suspended", "active"),
      },
    ],
  ],
  [
    "Viggo changed the role of Ada Example",
    [
      {
        entity: "users",
        recordId: ids.ada,
        facts: { role: "admin" },
        changes: change("role", "viewer", "admin"),
      },
    ],
  ],
  [
    "Viggo changed the settings",
    [{ entity: "settings", label: "Northquay", changes: change("graceDays", 7, 14) }],
  ],
  [
    "Viggo reverted a change of Harbor",
    [{ entity: "apps", reverts: "12", changes: change("name", "Harbor", "Dock") }],
  ],
  [
    "Viggo approved: Refund 90.00 EUR",
    [
      {
        entity: "approvals",
        label: "Refund 90.00 EUR",
        changes: change("status", "waiting", "approved"),
      },
      { entity: "transactions", action: insert, facts: payment },
    ],
  ],
  ["Viggo changed (no name)", [{ entity: "removed_table", label: ids.other }]],
])("says %j", (sentence, given) => {
  expect(said(...given)).toBe(sentence);
});

test("never says an ID", () => {
  const sentence = said({ entity: "apps", label: ids.other });
  expect(sentence).not.toContain(ids.other);
});

test("links the package of a version, and nothing that was deleted", () => {
  const linked = (given: Given) => tell(entryOf(given), names, "").subject;
  expect(linked({ entity: "version_prices", ...version })).toEqual({
    entity: "packages",
    id: ids.studio,
  });
  expect(linked({ entity: "apps", action: "delete" })).toBeNull();
});
