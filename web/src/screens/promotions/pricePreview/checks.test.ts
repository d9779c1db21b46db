import { expect, test } from "vitest";
import { bodyOf, emptyPromotion } from "../form/values.ts";
import { checksOf } from "./checks.ts";

const now = Date.parse("2026-11-14T12:00:00Z");
const pack = { id: "studio", name: "Studio" };
const body = bodyOf({
  ...emptyPromotion,
  name: "Autumn 20",
  basisPoints: 2000,
  packageIds: ["studio"],
  intervals: ["year"],
  startsAt: "2026-11-01T22:00:00Z",
  endsAt: "2026-11-30T22:00:00Z",
  redemptionLimit: 12_000,
});
const messageOf = (text: string) => ({ code: "sentence_of_a_newer_server", text });
const applied = {
  isApplied: true,
  reason: null,
  message: messageOf("Autumn 20 takes 24.00 EUR off."),
};

test("lists each condition that is met", () => {
  const checks = checksOf({ body, redemptions: 8214, pack, interval: "year", own: applied }, now);
  expect(checks).toEqual([
    { isMet: true, words: "Runs today, 16 days left" },
    { isMet: true, words: "Studio is included" },
    { isMet: true, words: "Yearly payments are included" },
    { isMet: true, words: "3,786 of 12,000 redemptions left" },
  ]);
});

test("shows the server's reason in place of the condition it decides", () => {
  const words = "Autumn 20 doesn't apply to this billing period.";
  const own = { isApplied: false, reason: "interval" as const, message: messageOf(words) };
  const checks = checksOf({ body, redemptions: 0, pack, interval: "month", own }, now);
  expect(checks[2]).toEqual({ isMet: false, words });
  expect(checks.filter(({ isMet }) => !isMet)).toHaveLength(1);
});

test("appends a reason that matches no condition", () => {
  const words = "Autumn 20 requires a minimum purchase of 200.00 EUR.";
  const own = { isApplied: false, reason: "minimum" as const, message: messageOf(words) };
  const checks = checksOf({ body, redemptions: 0, pack, interval: "year", own }, now);
  expect(checks.at(-1)).toEqual({ isMet: false, words });
});
