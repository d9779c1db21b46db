import { type FeatureStatus, featureDetails } from "@purser/contract/features/fields";
import type { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { columnsOf } from "../queries.ts";

/** A feature has the status of its app unless it says otherwise. */
type Demo = z.input<typeof featureDetails> & { status?: FeatureStatus };

const onOff = (code: string, name: string, description: string): Demo => ({
  code,
  name,
  description,
  kind: "switch",
  defaultValue: false,
});

const seats = (defaultValue: number): Demo => ({
  code: "seats",
  name: "Seats",
  description: "Team members who can sign in. Several packages add up.",
  kind: "limit",
  unit: { one: "seat", many: "seats" },
  combining: "sum",
  defaultValue,
});

const storage: Demo = {
  code: "storage",
  name: "Storage",
  description: "Storage for files. Several packages add up.",
  kind: "limit",
  unit: { one: "GB", many: "GB" },
  combining: "sum",
  defaultValue: 1,
  enforcement: "soft",
};

const metered = (
  code: string,
  name: string,
  { reset, one, many }: { reset: Demo["reset"] & string; one: string; many: string },
): Demo => ({
  code,
  name,
  kind: "metered",
  reset,
  unit: { one, many },
  combining: "sum",
  defaultValue: 0,
});

const choice = (code: string, name: string, ...options: [string, string][]): Demo => ({
  code,
  name,
  kind: "choice",
  options: options.map(([own, called]) => ({ code: own, name: called })),
  defaultValue: options[0]?.[0] ?? "",
});

const support = choice(
  "support",
  "Support",
  ["community", "Community"],
  ["email", "By email"],
  ["priority", "Within four hours"],
);

const demo: Record<string, Demo[]> = {
  harbor: [
    {
      code: "berths",
      name: "Berths",
      description: "Places that can be planned in one marina.",
      kind: "limit",
      unit: { one: "berth", many: "berths" },
      defaultValue: 5,
    },
    onOff(
      "waiting-list",
      "Waiting list",
      "Guests join a waiting list and get a message when a berth is free.",
    ),
    metered("text-messages", "Text messages", { reset: "month", one: "message", many: "messages" }),
    choice("reports", "Reports", ["none", "None"], ["weekly", "Weekly"], ["live", "Live"]),
    {
      ...onOff("fuel-sales", "Fuel sales", "Adds fuel to the bill of the berth."),
      status: "draft",
    },
  ],
  ledgerly: [
    seats(1),
    storage,
    onOff("multi-currency", "Several currencies", "Records each invoice in its own currency."),
    metered("invoices", "Invoices", { reset: "month", one: "invoice", many: "invoices" }),
    { ...onOff("fax-export", "Fax export", "Replaced by email."), status: "archived" },
  ],
  "signal-desk": [
    seats(2),
    { ...storage, defaultValue: 5 },
    support,
    metered("reminders", "Reminders", { reset: "day", one: "reminder", many: "reminders" }),
  ],
  "cargo-api": [
    {
      ...metered("quotes", "Quotes", { reset: "hour", one: "quote", many: "quotes" }),
      description: "Freight quotes per hour.",
      defaultValue: 10,
      fallback: "allow",
    },
    choice("region", "Regions", ["coast", "One coast"], ["ocean", "One ocean"], ["world", "World"]),
    { ...support, fallback: "deny" },
  ],
  stargazer: [
    onOff("offline-charts", "Offline charts", "Charts are available without a connection."),
    {
      code: "devices",
      name: "Devices",
      description: "Devices that one person can use at the same time.",
      kind: "limit",
      unit: { one: "device", many: "devices" },
      defaultValue: 1,
    },
  ],
  "tide-tables": [
    {
      code: "forecast-days",
      name: "Forecast",
      kind: "limit",
      unit: { one: "day", many: "days" },
      defaultValue: 3,
    },
    metered("lookups", "Lookups", { reset: "day", one: "lookup", many: "lookups" }),
    onOff("currents", "Currents", "Shows currents next to the tides."),
  ],
  logbook: [
    onOff("signatures", "Signatures", "Signed entries can't be changed."),
    {
      code: "vessels",
      name: "Vessels",
      kind: "limit",
      unit: { one: "vessel", many: "vessels" },
      combining: "sum",
      defaultValue: 1,
    },
    choice("export", "Export", ["none", "None"], ["pdf", "PDF"], ["all", "PDF and CSV"]),
  ],
  galley: [
    onOff("shopping-list", "Shopping list", "Creates the list from the menu."),
    metered("menus", "Menus", { reset: "week", one: "menu", many: "menus" }),
  ],
  "crew-rota": [seats(5), onOff("rest-hours", "Rest hours", "Warns before rest is too short.")],
  lighthouse: [
    {
      code: "checks",
      name: "Checks",
      description: "Addresses that are checked.",
      kind: "limit",
      unit: { one: "check", many: "checks" },
      combining: "sum",
      defaultValue: 3,
    },
    choice(
      "frequency",
      "Frequency",
      ["hourly", "Every hour"],
      ["five-minutes", "Every five minutes"],
      ["every-minute", "Every minute"],
    ),
    metered("alerts", "Alerts", { reset: "month", one: "alert", many: "alerts" }),
    onOff("status-page", "Status page", "A public page that shows which services are available."),
  ],
  "paper-charts": [
    metered("prints", "Prints", { reset: "year", one: "print", many: "prints" }),
    onOff("lamination", "Lamination", "Waterproof charts."),
  ],
  "radio-guide": [
    onOff("offline-guide", "Offline guide", "The guide is available without a connection."),
    metered("updates", "Updates", { reset: "never", one: "update", many: "updates" }),
  ],
};

/** The features of the demo apps. Existing features aren't changed. */
export const seedDemoFeatures = async (db: Db, now: Date) => {
  const apps = await db
    .selectFrom("apps")
    .select(["id", "code", "status"])
    .where("code", "in", Object.keys(demo))
    .execute();
  const rows = apps.flatMap((app) =>
    (demo[app.code] ?? []).map(({ status = app.status, ...own }) => {
      const { reason: _, ...details } = featureDetails.parse(own);
      const activatedAt = status === "draft" ? null : now;
      return { ...columnsOf(details), appId: app.id, status, activatedAt };
    }),
  );
  if (rows.length === 0) return 0;
  const inserted = await db
    .insertInto("features")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["appId", "code"]).doNothing())
    .returning("id")
    .execute();
  return inserted.length;
};
