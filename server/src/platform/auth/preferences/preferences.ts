import {
  defaultPreferences,
  type Preferences,
  preferences,
} from "@purser/contract/workspace/preferences";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

type Stored = { value: Record<string, unknown> };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const { columns, views, densities, defaultViews, testModeDefaultViews, ...single } =
  preferences.shape;
const byList = { columns, views, densities, defaultViews, testModeDefaultViews };
/** The preferences with a value for each list. */
export const listNames = Object.keys(byList) as (keyof typeof byList)[];

/** Values that another release stored and this one does not know are replaced by the default. */
const readPreferences = (stored: Record<string, unknown>): Preferences => {
  const read = { ...defaultPreferences };
  for (const [name, schema] of Object.entries(single)) {
    const parsed = schema.safeParse(stored[name]);
    if (parsed.success) Object.assign(read, { [name]: parsed.data });
  }
  for (const [name, schema] of Object.entries(byList)) {
    const lists = isRecord(stored[name]) ? Object.entries(stored[name]) : [];
    const known = lists.filter(([list, value]) => schema.safeParse({ [list]: value }).success);
    Object.assign(read, { [name]: schema.parse(Object.fromEntries(known)) });
  }
  return read;
};

const findPreferencesSql = statement(
  "auth.findPreferences",
  "select value from preferences where user_id = $1",
).narrow<Stored>();

export const findPreferences = async (db: Db, userId: string) => {
  const row = await first(db, findPreferencesSql, [userId]);
  return readPreferences(row?.value ?? {});
};

// One statement, which waits for a concurrent change of the row and merges into its result, so that two tabs
// that change different preferences both succeed.
const mergedOf = (name: string) => `
    '${name}',
    case when jsonb_typeof(preferences.value -> '${name}') = 'object'
      then preferences.value -> '${name}' else '{}' end
      || coalesce(excluded.value -> '${name}', '{}')`;
const merge = statement(
  "auth.mergePreferences",
  `
  insert into preferences (user_id, value) values ($1, $2::jsonb)
  on conflict (user_id) do update set value = preferences.value || excluded.value
    || jsonb_build_object(${listNames.map(mergedOf).join()})
  returning value`,
).narrow<Stored>();

/** The preferences after the change. */
export const mergePreferences = async (db: Db, userId: string, change: unknown) => {
  const row = await first(db, merge, [userId, JSON.stringify(change)]);
  return readPreferences(row?.value ?? {});
};
