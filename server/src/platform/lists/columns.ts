import type { FieldDeclarations, NamesWith } from "@purser/contract/fields/declarations";
import { snakeCase } from "../db/names.ts";

const columnOf = (declared: FieldDeclarations, name: string) =>
  `r.${snakeCase(declared[name]?.column ?? name)}`;

/**
 * What a statement selects of a row named `r`: a column for each field that is read. Fields that the statement
 * calculates are left to it.
 */
export const selectColumns = <F extends FieldDeclarations>(
  declared: F,
  calculated: readonly NamesWith<F, "read">[],
) =>
  Object.keys(declared)
    .filter((name) => declared[name]?.read && !calculated.some((one) => one === name))
    .map((name) => {
      const column = columnOf(declared, name);
      return column === `r.${name}` ? column : `${column} as "${name}"`;
    })
    .join(", ");

/** What a list filters and sorts by, where that is the field's own column. Text is lower-cased, as its indexes are. */
export const filterColumns = <F extends FieldDeclarations>(declared: F) =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, { list }]) => {
      if (!list) return [];
      const column = columnOf(declared, name);
      return [[name, list.kind === "text" ? `lower(${column})` : column]];
    }),
  ) as Record<NamesWith<F, "list">, string>;
