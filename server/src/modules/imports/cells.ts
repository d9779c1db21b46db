import { currency as currencySchema } from "@purser/contract/fields/money";
import type { Message } from "@purser/contract/messages/message";
import type { ImportField } from "@purser/contract/workspace/imports";
import {
  type DateOrder,
  readMoment,
  readNumber,
  type Written,
} from "@purser/contract/workspace/importValues";
import type { z } from "zod";
import { message, ruleMessage } from "#platform/messages.ts";
import { readAmount } from "./amounts.ts";

/** An error of a cell, or of the whole row. */
export type CellError = {
  field: string | null;
  message: Message;
  /** A value that would be valid, to replace this one in all rows. */
  suggestion?: { from: string; to: string };
};

/** A row as values for the database, and what recognizes it. */
export type Parsed = {
  key: string | null;
  email: string | null;
  fields: Record<string, unknown>;
  errors: CellError[];
};

/** The cells of a row, by field. */
export type Cells = Partial<Record<ImportField, string>>;

/** How a file is read, and what is in the future. */
export type Reading = Written & { now: Date };

export const emptyRow = (): Parsed => ({ key: null, email: null, fields: {}, errors: [] });

/** The earliest time that an app could have had customers. */
const earliest = Date.parse("1970-01-02T00:00:00Z");

const required = message("import_value_required", "A value is required.");

const dateForms = { "day first": "31/12/2026", "month first": "12/31/2026" } as const;
const invalidDate = (order: DateOrder | null) =>
  order === null
    ? message("import_date_invalid", "Not a date. Use the form 2026-12-31.")
    : message("import_date_form", "Not a date. Use the form 2026-12-31 or {form}.", {
        form: dateForms[order],
      });

/** Reads the cells of a row and collects their errors. An empty cell is no value. */
export const cellReader = (
  cells: Cells,
  errors: CellError[],
  { decimalMark, dateOrder }: Written,
) => {
  const refuse = (field: ImportField, fault: Message) => {
    errors.push({ field, message: fault });
    return null;
  };
  const filled = (field: ImportField, isRequired: boolean) => {
    const typed = cells[field]?.trim();
    if (typed) return typed;
    return isRequired ? refuse(field, required) : null;
  };
  /** A value by the rules of a form. */
  const value = <T>(
    field: ImportField,
    schema: z.ZodType<T>,
    { isRequired = false, from = (typed: string): unknown => typed } = {},
  ): T | null => {
    const typed = filled(field, isRequired);
    if (typed === null) return null;
    const read = schema.safeParse(from(typed));
    return read.success
      ? read.data
      : refuse(field, ruleMessage(read.error.issues[0]?.message ?? ""));
  };
  /** As programs write it: "7.5" for "7,5 %". Null if it is no number. */
  const number = (typed: string, unit: "" | "%"): string | null => {
    const read = readNumber(typed, decimalMark);
    return read && (read.unit === "" || read.unit === unit) ? read.value : null;
  };
  return {
    refuse,
    value,
    number,
    /** How many, by the rules of a form. */
    count: (field: ImportField, schema: z.ZodType<number>) =>
      value(field, schema, { from: (typed) => Number(number(typed, "") ?? Number.NaN) }),
    /** `until` is the latest moment that is allowed. */
    moment: (
      field: ImportField,
      { isRequired = false, until }: { isRequired?: boolean; until?: Date } = {},
    ): Date | null => {
      const typed = filled(field, isRequired);
      if (typed === null) return null;
      const read = readMoment(typed, dateOrder);
      if (!read || +read < earliest) return refuse(field, invalidDate(dateOrder));
      return until && +read > +until
        ? refuse(field, message("import_date_future", "This date is in the future."))
        : read;
    },
    /** In minor units. Needs a valid currency. */
    amount: (
      field: ImportField,
      currency: string | null,
      { isRequired = false } = {},
    ): number | null => {
      const typed = filled(field, isRequired);
      if (typed === null || currency === null) return null;
      const read = readAmount(typed, currency, decimalMark);
      return typeof read === "number" ? read : refuse(field, read);
    },
    currency: () =>
      value("currency", currencySchema, {
        isRequired: true,
        from: (typed) => typed.toUpperCase(),
      }),
  };
};

export type CellReader = ReturnType<typeof cellReader>;
