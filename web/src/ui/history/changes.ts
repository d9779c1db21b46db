import { t } from "@lingui/core/macro";
import { intervals } from "@purser/contract/packages/prices";
import { partTables } from "@purser/contract/workspace/auditReferences";
import { amount, number } from "#lib/intl.ts";
import { unlimitedLabel } from "#lib/labels/featureValues.ts";
import { frequencyLabel } from "#lib/money/prices.ts";
import { type Entity, entityLabels } from "../record/auditEntities.ts";
import { isEmptyValue } from "../record/auditValue.ts";
import { columnName } from "../record/columnNames.ts";
import type { Action, Happened, Names } from "./action.ts";
import { valueLabel } from "./values.ts";

/** One changed field in words. */
export type Line = {
  key: string;
  entryId: string;
  record: string;
  field: string;
  before: string | null;
  after: string | null;
};

type Change = { field: string; before?: unknown; after?: unknown };
type Context = { names: Names; zone: string };

const isId = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);

const pricePattern = /^([A-Z]{3}) every (\d+) (\w+)$/;

const priceOf = (field: string) => {
  const [, currency = "", count = "1", named] = pricePattern.exec(field) ?? [];
  const interval = intervals.find((one) => one === named);
  return interval ? { currency, period: { interval, intervalCount: Number(count) } } : null;
};

/** Each price, feature, app, package or customer of a record is a field. */
export const fieldLabel = (field: string, names: Names) => {
  const price = priceOf(field);
  if (!price) return isId(field) ? (names[field]?.name ?? t`Removed`) : columnName(field);
  const { currency } = price;
  const period = frequencyLabel(price.period);
  return t`${currency} ${period} price`;
};

const insideOf = (value: unknown, name: "amount" | "value") =>
  typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : value;

const featureLabel = (given: unknown) => {
  const value = insideOf(given, "value");
  if (typeof value === "boolean") return value ? t`On` : t`Off`;
  if (typeof value === "number") return number(value);
  return value === "unlimited" ? unlimitedLabel : String(value);
};

/** A price in words, or null for other fields. */
export const priceLabel = (field: string, value: unknown) => {
  const price = priceOf(field);
  return price && amount(Number(insideOf(value, "amount")), price.currency);
};

const shownValue = (entry: Happened, field: string, value: unknown, { names, zone }: Context) => {
  if (isEmptyValue(value)) return null;
  const price = priceLabel(field, value);
  if (price) return price;
  if (entry.entity === "version_values") return featureLabel(value);
  if (partTables[entry.entity]?.key) return t`Included`;
  if (isId(value)) return names[value]?.name ?? t`Set`;
  return valueLabel(entry, field, zone)(value);
};

const partNames: Record<string, (name: string) => string> = {
  promotion_amounts: (name) => t`${name}, amounts`,
  promotion_codes: (name) => t`${name}, codes`,
  promotion_packages: (name) => t`${name}, packages`,
  promotion_people: (name) => t`${name}, customers`,
  version_apps: (name) => t`${name}, apps`,
  version_prices: (name) => t`${name}, prices`,
  version_values: (name) => t`${name}, features`,
};

/** The record of a row: its name, or its type if it has none. */
const recordLabel = ({ entity, label }: Pick<Happened, "entity" | "label">) => {
  const type = entityLabels[entity as Entity] ?? columnName(entity);
  if (isId(label)) return type;
  return partNames[entity]?.(label) ?? label;
};

// They are internal, or repeat what other fields say.
const internal = new Set([
  ...["anchor", "basis", "body", "changesVersion", "facts", "ifMatch", "isSplit", "params"],
  ...["groupCode", "periodNumber", "reached", "snapshot", "hash"],
]);

const lineOf = (
  entry: Happened & { id: string },
  { field, before, after }: Change,
  context: Context,
): Line => ({
  key: `${entry.entity} ${entry.recordId} ${field}`,
  entryId: entry.id,
  record: recordLabel(entry),
  field: fieldLabel(field, context.names),
  before: shownValue(entry, field, before, context),
  after: shownValue(entry, field, after, context),
});

const isTold = ({ field, before, after }: Change, isUpdate: boolean) => {
  if (internal.has(field)) return false;
  return isUpdate || !isEmptyValue(before) || !isEmptyValue(after);
};

/** A price that is replaced is removed and added in the same action. */
const joined = (lines: Line[]) => {
  const byKey = new Map<string, Line>();
  for (const line of lines) {
    const known = byKey.get(line.key);
    const before = known?.before ?? line.before;
    const after = line.after ?? known?.after ?? null;
    byKey.set(line.key, { ...line, before, after });
  }
  return [...byKey.values()];
};

const publishedLines = ({ published, entries }: Action, context: Context): Line[] =>
  published.flatMap(({ entity, versionId, field, before, after }) => {
    const entry = entries.find(({ recordId }) => recordId === versionId);
    const about = entry && { ...entry, entity, changes: [], action: "update" as const };
    return about ? [lineOf(about, { field, before, after }, context)] : [];
  });

/** Every changed field of an action, prices first. */
export const linesOf = (action: Action, context: Context): Line[] => [
  ...publishedLines(action, context),
  ...joined(
    action.entries.flatMap((entry) =>
      entry.changes
        .filter((change) => isTold(change, entry.action === "update"))
        .map((change) => lineOf(entry, change, context)),
    ),
  ),
];

const isNews = (field: string) =>
  !["status", "state"].includes(field) && !/At$/.test(field) && !internal.has(field);

const contentTables = ["version_prices", "version_values"];

/** The entries with what a new draft copied from the version before, which nobody changed. */
const copiesIn = (entries: Action["entries"]) => {
  const hasNew = (table: string) =>
    entries.some(({ entity, action }) => entity === table && action === "insert");
  if (!hasNew("package_versions") || hasNew("packages")) return [];
  return contentTables.flatMap((table) => {
    const inserts = entries.filter(({ entity, action }) => entity === table && action === "insert");
    // It is copied first, and changed then.
    return inserts.toSorted((one, other) => Number(one.id) - Number(other.id)).slice(0, 1);
  });
};

/** The sentence about a reverted action doesn't say what was done to the record. */
const isStatusOfRevert = ({ reverts }: Action["entries"][number], field: string) =>
  reverts !== null && field === "status";

/** What to show in the list: changes of existing records, and prices, without what the sentence says. */
export const mainLinesOf = (action: Action, context: Context): Line[] => {
  const copies = copiesIn(action.entries);
  const shown = action.entries
    .filter((entry) => !copies.includes(entry))
    .map((entry) => ({
      ...entry,
      changes:
        entry.action === "update" || contentTables.includes(entry.entity)
          ? entry.changes.filter(({ field }) => isNews(field) || isStatusOfRevert(entry, field))
          : [],
    }));
  return linesOf({ ...action, entries: shown }, context).filter(
    ({ before, after }) => before !== after,
  );
};
