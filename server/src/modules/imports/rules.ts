import { allows, type Holder, type Role } from "@purser/contract/auth/permissions";
import {
  type ImportKind,
  type ImportStatus,
  importFields,
  importPermissions,
  requiredImportFields,
} from "@purser/contract/workspace/imports";
import { type Written, type WrittenSign, writtenIn } from "@purser/contract/workspace/importValues";
import { invalidAt, type Refusal } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

/** Refuses a mapping that has unknown or repeated fields, or lacks one that every row needs. */
export const assertMapping = (
  kind: ImportKind,
  columns: readonly string[],
  mapping: readonly (string | null)[],
) => {
  if (mapping.length !== columns.length)
    throw invalidAt(
      "/mapping",
      message("import_mapping_length", "Choose a field or none for each of the {count} columns.", {
        count: columns.length,
      }),
    );
  const known: readonly string[] = importFields[kind];
  for (const [place, field] of mapping.entries()) {
    if (field === null) continue;
    if (!known.includes(field))
      throw invalidAt(
        `/mapping/${place}`,
        message("import_field_unknown", "This field can't be imported. Choose another one."),
      );
    if (mapping.indexOf(field) !== place)
      throw invalidAt(
        `/mapping/${place}`,
        message("import_field_repeated", "Another column is already mapped to this field."),
      );
  }
  const missing = requiredImportFields[kind].find((field) => !mapping.includes(field));
  if (missing)
    throw invalidAt(
      "/mapping",
      message("import_field_missing", "Map a column to {field}. Every row needs it.", {
        field: missing,
      }),
    );
};

/** How numbers and dates are read: as chosen, or as the values show. Refuses values that could be read in two ways. */
export const readAs = (
  columns: readonly WrittenSign[][],
  mapping: readonly (string | null)[],
  chosen: Written,
): Written => {
  const shown = writtenIn(columns, mapping);
  const decimalMark = chosen.decimalMark ?? shown.decimalMark.preset;
  const dateOrder = chosen.dateOrder ?? shown.dateOrder.preset;
  if (shown.decimalMark.isNeeded && !decimalMark)
    throw invalidAt(
      "/decimalMark",
      message(
        "import_decimals_unclear",
        "Choose how numbers are written in the file, with a decimal point or comma.",
      ),
    );
  if (shown.dateOrder.isNeeded && !dateOrder)
    throw invalidAt(
      "/dateOrder",
      message(
        "import_dates_unclear",
        "Choose how dates are written in the file, with the day or the month first.",
      ),
    );
  return { decimalMark, dateOrder };
};

/** Nothing can be imported that the team member could not create by hand. */
export const refusalOfRole = (holder: Role | Holder, kind: ImportKind): Refusal | null =>
  allows(holder, importPermissions[kind])
    ? null
    : {
        code: "forbidden",
        detail: message(
          "import_kind_forbidden",
          "Your role can't import this. Ask an owner for access.",
        ),
      };

type Step = "upload" | "map" | "start" | "pause" | "resume" | "stop" | "undo" | "download";

const allowed: Record<Step, readonly ImportStatus[]> = {
  upload: ["uploading"],
  map: ["uploaded", "checking", "checked"],
  start: ["checked"],
  pause: ["running"],
  resume: ["paused"],
  stop: ["uploading", "uploaded", "checking", "checked", "running", "paused"],
  undo: ["finished", "stopped"],
  download: ["checked", "running", "paused", "finished", "stopped", "undoing", "undone"],
};

/** Why an import can't be acted on in its current state. */
export const refusalOf = (status: ImportStatus, step: Step): Refusal | null =>
  allowed[step].includes(status)
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "import_wrong_state",
          "This import has moved on and doesn't allow this anymore. Reload the page.",
        ),
      };
