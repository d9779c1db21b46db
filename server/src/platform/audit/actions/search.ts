import { snakeCase } from "../../db/names.ts";
import { escapeLike, type Values } from "../../lists/sql.ts";

/** What a search looks for in addition to the typed text. */
export type Searched = {
  typed: string;
  /** Fields and record types with this name. */
  fields: readonly string[];
  types: readonly string[];
  /** Records with this name. */
  recordIds: readonly string[];
};

const row = "coalesce(r.after, r.before)";

/** An amount as it is stored, in minor units: 36.00 as 3600. */
const minorUnits = (typed: string) => {
  const [, whole, cents] = /^(\d{1,12})[.,](\d{2})$/.exec(typed) ?? [];
  return whole ? String(Number(`${whole}${cents}`)) : null;
};

/**
 * Matches names, values, people, reasons, changed fields and types of records. No index helps, so a page searches a
 * limited number of entries, and the next one continues.
 */
export const searchCondition =
  ({ typed, fields, types, recordIds }: Searched) =>
  (values: Values) => {
    const pattern = `lower(${values.add(`%${escapeLike(typed)}%`)})`;
    const names = `${values.add(recordIds)}::text[]`;
    const exact = values.add([minorUnits(typed)].filter((value) => value !== null));
    const columns = values.add(fields.map(snakeCase));
    const said = `jsonb_typeof(v.value) <> 'object' and lower(v.value #>> '{}') like ${pattern}`;
    return `(
      lower(r.actor_name) like ${pattern} or lower(r.reason) like ${pattern}
      or r.entity = any (${values.add(types)}::text[]) or r.record_id = any (${values.add(recordIds)}::uuid[])
      or r.action = 'update' and exists (
        select from unnest(${columns}::text[]) c where r.before -> c is distinct from r.after -> c)
      or exists (select from jsonb_each(${row}) v where ${said}
        or v.value #>> '{}' = any (${names} || ${exact}::text[]) or v.key = any (${names}))
      or r.action = 'update' and exists (select from jsonb_each(r.before) v where ${said})
    )`;
  };
