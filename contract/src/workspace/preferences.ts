import { z } from "zod";
import { text, timeZone, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

export const themes = ["system", "light", "dark"] as const;
export const densities = ["comfortable", "compact"] as const;
/** The words are the same in each; dates and the clock are written as people there read them. */
export const languages = ["en-GB", "en-US"] as const;

const column = z.strictObject({
  id: token(/^[a-zA-Z]{1,40}$/, "must be a column's name"),
  hidden: z.boolean().optional(),
  /** In CSS pixels. Without it the content decides. */
  width: z.int().min(64).max(800).optional(),
  pin: z.enum(["left", "right"]).optional(),
});
export type ColumnChoice = z.output<typeof column>;

/** A way to look at a list, under a name of one's own. */
const savedView = z.strictObject({
  name: text({ min: 1, max: 40 }),
  q: text({ max: 200 }).optional(),
  f: z.array(text({ min: 1, max: 300 })).max(20),
  sort: text({ max: 200 }).optional(),
});
export type SavedView = z.output<typeof savedView>;

const listName = token(/^[a-z]{1,40}$/, "must be a list's name");

/** How one person wants the office to look. Kept on the server, so that it is the same everywhere. */
export const preferences = z
  .strictObject({
    theme: z.enum(themes),
    density: z.enum(densities),
    language: z.enum(languages),
    /** Null is the browser's own zone. */
    timeZone: timeZone.nullable(),
    /** Whether single letters are shortcuts. */
    singleKeys: z.boolean(),
    /** The columns of each list, in their order. A list that is not named has its own. */
    columns: z.record(listName, z.array(column).max(40)),
    /** The saved views of each list, in the order of their tabs. */
    views: z.record(listName, z.array(savedView).max(20)),
  })
  .meta({ id: "Preferences" });
export type Density = (typeof densities)[number];
export type Preferences = z.output<typeof preferences>;

export const defaultPreferences: Preferences = {
  theme: "system",
  density: "comfortable",
  language: "en-GB",
  timeZone: null,
  singleKeys: true,
  columns: {},
  views: {},
};

export const changePreferences = endpoint({
  method: "PUT",
  path: "/preferences",
  summary:
    "Change how the office looks to you; what is left out stays, and so do other lists' columns and views",
  permission: "signed in",
  body: preferences.partial(),
  reply: preferences,
});
