import { z } from "zod";

export const id = z.uuid("must be an id");

const onTheWire = z.iso.datetime({
  offset: true,
  error: "must be a time such as 2026-03-01T09:00:00Z",
});

// Four digits of a year are what the wire can carry, also after an offset was reckoned in.
const moment = z
  .date()
  .min(new Date("0001-01-01T00:00:00Z"), "must not be before the year 1")
  .max(new Date("9999-12-31T23:59:59.999Z"), "must not be after the year 9999");

/** A moment: `Date` inside, ISO 8601 on the wire. */
export const instant = z.codec(onTheWire, moment, {
  decode: (value) => new Date(value),
  encode: (value) => value.toISOString(),
});

/** Counts the changes of a row. It is the row's ETag, and what `If-Match` must name. */
export const version = z.int().positive();

export const record = z.strictObject({ id });

export const nothing = z.strictObject({});
