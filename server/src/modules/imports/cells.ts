import { amountMax, exponentOf } from "@purser/contract/fields/amounts";
import { currency as currencySchema } from "@purser/contract/fields/money";
import type { Message } from "@purser/contract/messages/message";
import type { ImportField } from "@purser/contract/workspace/imports";
import type { z } from "zod";
import { message, ruleMessage } from "#platform/messages.ts";

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

export const emptyRow = (): Parsed => ({ key: null, email: null, fields: {}, errors: [] });

/** The earliest time that an app could have had customers. */
const earliest = Date.parse("1970-01-02T00:00:00Z");

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?\s?(?:Z|UTC|([+-])(\d{2})(?::?(\d{2}))?)?$/;

/** ISO 8601, also as PostgreSQL writes it, and without an offset, which then is UTC. Or seconds since 1970. */
export const readMoment = (typed: string): Date | null => {
  if (/^\d{9,10}$/.test(typed)) return new Date(Number(typed) * 1000);
  const parts = isoDate.exec(typed);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ahead = (Number(parts[8] ?? 0) * 60 + Number(parts[9] ?? 0)) * (parts[7] === "-" ? -1 : 1);
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // The 30th of February would be the 2nd of March.
  const isReal =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return isReal ? new Date(+local - ahead * 60_000) : null;
};

const required = message("import_value_required", "A value is required.");

/** Reads the cells of a row and collects their errors. An empty cell is no value. */
export const cellReader = (cells: Cells, errors: CellError[]) => {
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
  return {
    refuse,
    value,
    /** `until` is the latest moment that is allowed. */
    moment: (
      field: ImportField,
      { isRequired = false, until }: { isRequired?: boolean; until?: Date } = {},
    ): Date | null => {
      const typed = filled(field, isRequired);
      if (typed === null) return null;
      const read = readMoment(typed);
      if (!read || +read < earliest)
        return refuse(
          field,
          message("import_date_invalid", "Not a date. Use the form 2026-03-01."),
        );
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
      const [, whole = "", decimals = ""] = /^(\d{1,15})(?:\.(\d+))?$/.exec(typed) ?? [];
      if (whole === "")
        return refuse(
          field,
          message("import_amount_invalid", "Not an amount. Use the form 1234.50."),
        );
      const exponent = exponentOf(currency);
      // Other systems fill up with zeros.
      if (/[1-9]/.test(decimals.slice(exponent)))
        return refuse(
          field,
          message(
            "import_amount_decimals",
            "{currency} has {decimals, plural, =0 {no decimals} one {# decimal} other {# decimals}}.",
            { currency, decimals: exponent },
          ),
        );
      const minor = Number(whole + decimals.slice(0, exponent).padEnd(exponent, "0"));
      return minor > amountMax
        ? refuse(field, message("import_amount_large", "This amount is too large."))
        : minor;
    },
    currency: () =>
      value("currency", currencySchema, {
        isRequired: true,
        from: (typed) => typed.toUpperCase(),
      }),
  };
};

export type CellReader = ReturnType<typeof cellReader>;
