import { z } from "zod";

export const id = z.uuid("must be an id");

const onTheWire = z.iso.datetime({
  offset: true,
  error: "must be a time such as 2026-03-01T09:00:00Z",
});

// ISO 8601 only has four digits for the year, also after the offset is applied.
const moment = z
  .date()
  .min(new Date("0001-01-01T00:00:00Z"), "must not be before the year 1")
  .max(new Date("9999-12-31T23:59:59.999Z"), "must not be after the year 9999");

/** A moment, as `Date` in code and ISO 8601 in JSON. */
export const instant = z.codec(onTheWire, moment, {
  decode: (value) => new Date(value),
  encode: (value) => value.toISOString(),
});

/** The number of changes of a row, used as ETag and in `If-Match`. */
export const version = z.int().positive();

export const record = z.strictObject({ id });

export const nothing = z.strictObject({});
