import { z } from "zod";
import { text, timeZone, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";

export const themes = ["system", "light", "dark"] as const;
export const densities = ["comfortable", "compact"] as const;
export const digests = ["off", "daily"] as const;
export const languages = ["en-US", "en-GB", "de"] as const;

const columnName = token(
  /^[a-zA-Z]{1,40}$/,
  rule("column_name_invalid", "Enter the name of a column."),
);

const column = z.strictObject({
  id: columnName,
  hidden: z.boolean().optional(),
  /** In CSS pixels; sized by its content by default. */
  width: z.int().min(64).max(800).optional(),
  pin: z.enum(["left", "right"]).optional(),
});
export type ColumnChoice = z.output<typeof column>;

/** A saved view of a list. */
export const savedView = z.strictObject({
  name: text({ min: 1, max: 40 }),
  q: text({ max: 200 }).optional(),
  f: z.array(text({ min: 1, max: 300 })).max(20),
  sort: text({ max: 200 }).optional(),
  /** Its columns in their order; otherwise those that the user has chosen for the list. */
  cols: z.array(columnName).min(1).max(40).optional(),
});
export type SavedView = z.output<typeof savedView>;

export const listName = token(
  /^[a-z]{1,40}$/,
  rule("list_name_invalid", "Enter the name of a list."),
);

/** How a user wants the dashboard to look, stored on the server to be the same in every browser. */
export const preferences = z
  .strictObject({
    theme: z.enum(themes),
    density: z.enum(densities),
    /** Null for the browser's language. */
    language: z.enum(languages).nullable(),
    /** Null for the browser's time zone. */
    timeZone: timeZone.nullable(),
    /** Whether single letters work as shortcuts. */
    singleKeys: z.boolean(),
    /** An email with unread notifications. */
    digest: z.enum(digests),
    /** Whether Home leaves out the setup checklist. */
    hidesSetup: z.boolean(),
    /** The columns of each list in their order; others use the default. */
    columns: z.record(listName, z.array(column).max(40)),
    /** The saved views of each list, in the order of their tabs. */
    views: z.record(listName, z.array(savedView).max(20)),
    /** Lists with another density than the default of the list. */
    densities: z.record(listName, z.enum(densities)),
    /** The view that opens first: the name of a saved view, the ID of a shared one, or "" for none. */
    defaultViews: z.record(listName, text({ max: 40 })),
    /** The same in test mode, whose shared views have other IDs. */
    testModeDefaultViews: z.record(listName, text({ max: 40 })),
  })
  .meta({ id: "Preferences" });
export type Density = (typeof densities)[number];
export type Preferences = z.output<typeof preferences>;

export const defaultPreferences: Preferences = {
  theme: "system",
  density: "comfortable",
  language: null,
  timeZone: null,
  singleKeys: true,
  digest: "off",
  hidesSetup: false,
  columns: {},
  views: {},
  densities: {},
  defaultViews: {},
  testModeDefaultViews: {},
};

export const changePreferences = endpoint({
  method: "PUT",
  path: "/preferences",
  summary: "Update your preferences",
  permission: "signed in",
  body: preferences.partial(),
  reply: preferences,
});
