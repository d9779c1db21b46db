import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { openAllowances } from "./testing/allowances.testing.ts";

const start = Date.UTC(2026, 10, 7, 12);
const allowances = await openAllowances(start);
const { features, newPackage, at, newEmail, buy, check, consume } = allowances;
const { pause, resume, extend, findSubscription } = allowances;
const base = await newPackage(1000, { name: "Base", group: "plans" });
const other = await newPackage(1000, { name: "Other", group: "others" });
const extra = await newPackage(1000, { name: "Extra", kind: "add-on" });

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("buy base", "buy other", "buy extra", "extend", "pause", "late", "wait"),
    hours: fc.integer({ min: 1, max: 400 }),
    days: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 3, maxLength: 8 },
);

type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

const isOfOthers = (kind: Step["kind"]) => kind === "buy other" || kind === "buy extra";

const hourMs = 3_600_000;

/** A sale without the reminder that there is one like it. */
const buyAgain = (email: string, packageId: string) => buy(email, packageId).catch(() => undefined);

test("I10 what was used never gets less before the reset, whatever is done with subscriptions", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(...Object.values(features)), async (taken, feature) => {
      let now = start;
      const email = newEmail();
      await at(new Date(now).toISOString());
      const user = await buy(email, base.id, { interval: "month" });
      const act: Record<Step["kind"], (step: Step) => Promise<unknown>> = {
        "buy base": () => buyAgain(email, base.id),
        "buy other": () => buyAgain(email, other.id),
        "buy extra": () => buyAgain(email, extra.id),
        extend: ({ days }) => extend(user, base.id, days),
        pause: async ({ days }) => {
          await pause(user, base.id);
          now += days * 24 * hourMs;
          await at(new Date(now).toISOString());
          await resume(user, base.id);
        },
        late: ({ days }) =>
          allowances.record([
            { user, feature, amount: 1, at: new Date(now - (days * hourMs) / 2).toISOString() },
          ]),
        wait: async () => {},
      };
      for (const step of taken) {
        now += step.hours * hourMs;
        await at(new Date(now).toISOString());
        const running = await findSubscription(user, base.id);
        // Jobs that renew it don't run here.
        if (!running || Date.parse(running.periodEnd) <= now) return;
        await consume({ user, feature, amount: 2 });
        const before = await check(user, feature);
        await act[step.kind](step).catch(() => undefined);
        const after = await check(user, feature);
        // Another subscription that runs during a pause resets meanwhile.
        const isPaused = step.kind === "pause" && taken.every(({ kind }) => !isOfOthers(kind));
        if (isPaused || now < Date.parse(before.resetsAt ?? ""))
          expect(after.used ?? 0).toBeGreaterThanOrEqual(before.used ?? 0);
      }
    }),
    { numRuns: sized({ gate: 3, nightly: 300 }) },
  );
});
