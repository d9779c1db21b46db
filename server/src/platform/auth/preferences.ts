import {
  changePreferences,
  defaultPreferences,
  type Preferences,
  preferences,
} from "@purser/contract/preferences";
import type { FastifyInstance } from "fastify";
import { type Db, run } from "../db/db.ts";
import { invalidAt } from "../http/problem.ts";
import { serve } from "../http/serve.ts";

const listsMax = 20;

type Stored = { value: Record<string, unknown> };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const { columns: columnsOfLists, ...single } = preferences.shape;

/** What was stored by another release may mean nothing to this one: then the default stands in its place. */
const readPreferences = (stored: Record<string, unknown>): Preferences => {
  const read = { ...defaultPreferences };
  for (const [name, schema] of Object.entries(single)) {
    const parsed = schema.safeParse(stored[name]);
    if (parsed.success) Object.assign(read, { [name]: parsed.data });
  }
  const lists = isRecord(stored["columns"]) ? Object.entries(stored["columns"]) : [];
  const known = lists.filter(([name, list]) => columnsOfLists.safeParse({ [name]: list }).success);
  return { ...read, columns: columnsOfLists.parse(Object.fromEntries(known)) };
};

export const findPreferences = async (db: Db, userId: string) => {
  const [row] = await run<Stored>(db, "select value from preferences where user_id = $1", [userId]);
  return readPreferences(row?.value ?? {});
};

// One statement, which waits for whoever changes the row at the same moment and then merges into what
// that one left: two tabs that change different things both succeed.
const merge = `
  insert into preferences (user_id, value) values ($1, $2::jsonb)
  on conflict (user_id) do update set value = preferences.value || excluded.value || jsonb_build_object(
    'columns',
    case when jsonb_typeof(preferences.value -> 'columns') = 'object'
      then preferences.value -> 'columns' else '{}' end
      || coalesce(excluded.value -> 'columns', '{}')
  )
  returning value`;

export const preferenceRoutes = (app: FastifyInstance) => {
  serve(app, changePreferences, async ({ db, body, session }) => {
    const [row] = await run<Stored>(db, merge, [session.userId, JSON.stringify(body)]);
    const changed = readPreferences(row?.value ?? {});
    if (Object.keys(changed.columns).length > listsMax)
      throw invalidAt("/columns", "too_big", `must not name more than ${listsMax} lists in all`);
    return changed;
  });
};
