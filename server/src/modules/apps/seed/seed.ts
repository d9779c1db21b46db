import { sql } from "kysely";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const demo = [
  [
    "harbor",
    "Harbor",
    "Plans berths and arrivals for marinas.",
    ["web", "ios", "android"],
    "anchor",
    "active",
  ],
  [
    "ledgerly",
    "Ledgerly",
    "Bookkeeping for crews of up to fifty.",
    ["web", "desktop"],
    "book",
    "active",
  ],
  [
    "signal-desk",
    "Signal Desk",
    "A shared inbox with reminders.",
    ["web", "ios", "android"],
    "inbox",
    "active",
  ],
  ["cargo-api", "Cargo API", "Freight quotes as a service.", ["api"], "package", "active"],
  ["stargazer", "Stargazer", "Offline star charts.", ["ios", "android"], "stars", "active"],
  [
    "tide-tables",
    "Tide Tables",
    "Tides and currents for two weeks.",
    ["web", "api"],
    "wave-sine",
    "active",
  ],
  ["logbook", "Logbook", "A ship's log with signatures.", ["web", "ios"], "notebook", "active"],
  ["galley", "Galley", "Menus, stock and shopping lists.", ["web"], "tools-kitchen", "draft"],
  [
    "crew-rota",
    "Crew Rota",
    "Watches and rest hours.",
    ["web", "android"],
    "calendar-time",
    "draft",
  ],
  [
    "lighthouse",
    "Lighthouse",
    "Uptime checks from many ports.",
    ["web", "api"],
    "building-lighthouse",
    "active",
  ],
  [
    "paper-charts",
    "Paper Charts",
    "Print-on-demand charts. Replaced by Stargazer.",
    ["web"],
    "map",
    "archived",
  ],
  ["radio-guide", "Radio Guide", "Frequencies by region.", ["ios", "android"], "radio", "archived"],
] as const;

const appsPerStatement = 50_000;

/** A small company's catalog. Apps that are already there stay as they are. */
export const seedDemoApps = async (db: Db, now: Date) => {
  const inserted = await db
    .insertInto("apps")
    .values(
      demo.map(([code, name, description, platforms, icon, status]) => ({
        code,
        name,
        description,
        platforms: [...platforms],
        icon,
        status,
        supportEmail: `${code}@example.com`,
        activatedAt: status === "draft" ? null : now,
      })),
    )
    .onConflict((conflict) => conflict.column("code").doNothing())
    .returning("id")
    .execute();
  return inserted.length;
};

const countBulkApps = statement(
  "apps.countBulkApps",
  "select count(*)::int as made from apps where code like 'bulk-%'",
).narrow<{ made: number }>();

/** As many apps as asked for, spread over three years, by a few statements that each make many. */
export const seedManyApps = async (
  db: Db,
  { count, now, onProgress }: { count: number; now: Date; onProgress: (made: number) => void },
) => {
  const already = (await first(db, countBulkApps))?.made ?? 0;
  for (let made = 0; made < count; made += appsPerStatement) {
    const from = already + made + 1;
    const to = already + Math.min(made + appsPerStatement, count);
    await sql`
      insert into apps (id, code, name, description, platforms, icon, status, activated_at, created_at, updated_at)
      select uuid_v7(at), 'bulk-' || n, initcap(word) || ' ' || n, 'Made by the seeder, number ' || n || '.',
        platforms, 'apps', status, case when status <> 'draft' then at end, at, at
      from (
        select n, ${now}::timestamptz - make_interval(secs => 94608000.0 * (1 - n::float8 / ${already + count})) as at,
          (array['harbor', 'signal', 'cargo', 'tide', 'beacon', 'anchor', 'compass', 'lantern'])[1 + n % 8] as word,
          (array[array['web'], array['api'], array['ios'], array['desktop']])[1 + n % 4 : 1 + n % 4] as platforms_row,
          case when n % 10 = 0 then 'archived' when n % 10 = 1 then 'draft' else 'active' end as status
        from generate_series(${from}::int, ${to}::int) as n
      ) spread, lateral (select array(select unnest(platforms_row)) as platforms) flat`.execute(db);
    onProgress(to - already);
  }
};
