import type { Filter } from "@purser/contract/http/list";
import type { Message } from "@purser/contract/messages/message";
import { type Db, first, run } from "../../db/db.ts";
import { template } from "../../db/statement.ts";
import { conditionsOf } from "../choose.ts";
import type { Paging } from "../list.ts";
import { whereAll } from "../rows.ts";
import { collectValues } from "../sql.ts";
import type { AnyList, Bulk, BulkAction, Given } from "./sources.ts";

type State = Record<string, string>;

/** The same text for rows of the same state. Comparing texts is faster than comparing JSON. */
const keySql = (expressions: readonly string[]) =>
  `concat_ws('|', ${expressions.map((sql) => `coalesce((${sql})::text, '-')`).join(", ")})`;

const groups = template(
  "listJobs.previewGroups",
  (table: string, state: State, where: string) => {
    const expressions = Object.values(state);
    const named = expressions.map((sql, place) => `${sql} as s${place}`);
    const fields = Object.keys(state).map((name, place) => `'${name}', g.s${place}`);
    const key = keySql(expressions.map((_, place) => `g.s${place}`));
    return `select jsonb_build_object(${fields.join(", ")}) as state, ${key} as key, g.rows from (
      select ${named.join(", ")}, count(*)::int as rows from ${table} r ${where}
      group by ${named.map((_, place) => place + 1).join(", ")}) g order by g.rows desc`;
  },
  ["users", { status: "r.status" }, ""],
)
  // Counts all rows on purpose, because a user asks what would happen to them. It ends after 5 seconds.
  .bounded(100_000)
  .narrow<{ state: unknown; key: string; rows: number }>();

const consequence = template(
  "listJobs.previewConsequence",
  (counted: string, table: string, state: State, where: string) => `
    with changed as materialized (
      select r.id from ${table} r ${where} ${where ? "and" : "where"} ${keySql(Object.values(state))} = any ($1::text[]))
    select (${counted})::int as amount`,
  ["select count(*) from changed", "users", { status: "r.status" }, ""],
)
  // Also reads what belongs to these rows, such as the access of all customers. It ends after 5 seconds.
  .bounded(400_000)
  .narrow<{ amount: number }>();

export type Selected = { q?: string | undefined; f: Filter[] };
export type Chosen = { list: AnyList; selected: Selected; paging: Paging };

type Refused = { detail: Message; rows: number; outcome: "unchanged" | "failed" };

const lookedUpMax = 5000;

const sum = (rows: readonly { rows: number }[]) => rows.reduce((all, one) => all + one.rows, 0);

/** What the action would do to the rows that match now, decided by the same rules as the action itself. */
export const previewOf = async (
  db: Db,
  { rules, actions }: Bulk,
  { list, selected, paging }: Chosen,
  { action, given }: { action: BulkAction; given: Given },
) => {
  const { table } = list.rows;
  const values = collectValues();
  const where = whereAll(conditionsOf(list, selected, paging, values));
  const found = await run(db, groups.for(table, rules.state, where), values.all);
  const decided = found.map(({ state, key, rows }) => ({
    key,
    rows,
    refusal: rules.refusalOf(state as never, action, { given, now: paging.now }),
  }));
  const changed = decided.filter(({ refusal }) => refusal === null);
  const unchanged = actions[action]?.unchanged ?? [];
  const byCode = new Map<string, Refused>();
  for (const { refusal, rows } of decided)
    if (refusal)
      byCode.set(refusal.detail.text, {
        detail: refusal.detail,
        outcome: unchanged.includes(refusal.detail.code) ? "unchanged" : "failed",
        rows: rows + (byCode.get(refusal.detail.text)?.rows ?? 0),
      });
  const states = changed.map(({ key }) => key);
  // The planner expects few of the rows that a rule chooses, and would look up each of many by itself.
  if (sum(changed) > lookedUpMax) await run(db, "set local enable_nestloop = off");
  const consequences: { what: string; amount: number }[] = [];
  for (const [what, counted] of Object.entries(rules.consequences?.[action] ?? {})) {
    const own = collectValues();
    own.add(states);
    const condition = whereAll(conditionsOf(list, selected, paging, own));
    const text = consequence.for(counted, table, rules.state, condition);
    consequences.push({ what, amount: (await first(db, text, own.all))?.amount ?? 0 });
  }
  return {
    total: sum(decided),
    changed: sum(changed),
    refused: [...byCode.values()],
    consequences,
  };
};
