import type { FieldDeclarations, NamesWith } from "@purser/contract/fields/declarations";
import { snakeCase } from "../db/names.ts";

const columnOf = (declared: FieldDeclarations, name: string) =>
  `r.${snakeCase(declared[name]?.column ?? name)}`;

/** The selected columns of a row named `r`, one per field, except for fields that the statement calculates. */
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

/** The columns for filters and sorts of fields with their own column. Text is lower-cased like its indexes. */
export const filterColumns = <F extends FieldDeclarations>(declared: F) =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, { list }]) => {
      if (!list) return [];
      const column = columnOf(declared, name);
      return [[name, list.kind === "text" ? `lower(${column})` : column]];
    }),
  ) as Record<NamesWith<F, "list">, string>;
