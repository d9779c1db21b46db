import { z } from "zod";
import { rule } from "../messages/rules.ts";

export const id = z.uuid(rule("id_invalid", "Enter an ID (UUID)."));

const onTheWire = z.iso.datetime({
  offset: true,
  error: rule("time_invalid", "Enter a date and time, such as 2026-03-01T09:00:00Z."),
});

export const tooEarly = rule("time_too_early", "Enter a date from the year 1 onward.");

// ISO 8601 only has four digits for the year, also after the offset is applied.
const moment = z
  .date()
  .min(new Date("0001-01-01T00:00:00Z"), tooEarly)
  .max(
    new Date("9999-12-31T23:59:59.999Z"),
    rule("time_too_late", "Enter a date in year 9999 or earlier."),
  );

/** A moment, as `Date` in code and ISO 8601 in JSON. */
export const instant = z.codec(onTheWire, moment, {
  decode: (value) => new Date(value),
  encode: (value) => value.toISOString(),
});

/** The number of changes of a row, used as ETag and in `If-Match`. */
export const version = z.int().positive();

export const record = z.strictObject({ id });

export const nothing = z.strictObject({});
