import { z } from "zod";

export const id = z.uuid("must be an id");

const onTheWire = z.iso.datetime({
  offset: true,
  error: "must be a time such as 2026-03-01T09:00:00Z",
});

/** A moment: `Date` inside, ISO 8601 on the wire. */
export const instant = z.codec(onTheWire, z.date(), {
  decode: (value) => new Date(value),
  encode: (value) => value.toISOString(),
});

/** Counts the changes of a row. It is the row's ETag, and what `If-Match` must name. */
export const version = z.int().positive();

export const record = z.strictObject({ id });

export const nothing = z.strictObject({});
