import fc from "fast-check";
import { expect, test } from "vitest";
import { readMoment, textOfMoment } from "./moments.ts";

const moments = fc.date({
  min: new Date("0100-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});

test("writes moments like toISOString", () => {
  const all = fc.date({ noInvalidDate: true });
  fc.assert(fc.property(all, (moment) => textOfMoment(moment) === moment.toISOString()));
  expect(() => textOfMoment(new Date(Number.NaN))).toThrow(RangeError);
});

test("reads the text that PostgreSQL sends", () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 0, max: 999 }), (moment, microseconds) => {
      const [day, time = ""] = moment.toISOString().slice(0, -1).split("T");
      const fraction = `${time.slice(9)}${String(microseconds).padStart(3, "0")}`.replace(
        /0+$/,
        "",
      );
      const text = `${day} ${time.slice(0, 8)}${fraction && `.${fraction}`}+00`;
      expect(readMoment(text)).toEqual(moment);
    }),
  );
});

test.each([
  "infinity",
  "2026-01-31 12:00:00+01",
  "0044-03-15 12:00:00+00 BC",
  "20260-01-31 12:00:00+00",
])("leaves %s to the general parser", (text) => {
  expect(readMoment(text)).toBeNull();
});
