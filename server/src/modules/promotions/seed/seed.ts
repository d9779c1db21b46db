import type { PromotionDetails } from "@purser/contract/promotions/endpoints";
import { promotionDetails } from "@purser/contract/promotions/endpoints";
import { type Db, run } from "#platform/db/db.ts";
import { setMoments } from "../queries.ts";
import { insertPromotion } from "../saveQueries.ts";

const dayMs = 86_400_000;

type Demo = { daysFromNow: [number | null, number | null]; details: Partial<PromotionDetails> };

const demoPromotions: Demo[] = [
  {
    daysFromNow: [-13, 15],
    details: {
      name: "Autumn 20",
      code: "AUTUMN20",
      kind: "percent",
      basisPoints: 2000,
      intervals: ["year"],
      audience: "first purchase",
      redemptionLimit: 12_000,
      redemptionLimitPerCustomer: 1,
      amounts: [{ currency: "EUR", budget: 20_000_000, off: null, minimum: null, cap: null }],
    },
  },
  {
    daysFromNow: [-45, 6],
    details: {
      name: "Back to work",
      code: "BACKTOWORK",
      kind: "fixed",
      amounts: ["EUR", "USD", "GBP"].map((currency) => ({
        currency,
        off: 500,
        minimum: 1000,
        cap: null,
        budget: null,
      })),
      stacking: "stackable",
    },
  },
  {
    daysFromNow: [7, 28],
    details: { name: "Switch to Team", code: "SWITCH-TEAM", kind: "trial", trialDays: 30 },
  },
  {
    daysFromNow: [-400, null],
    details: {
      name: "Thank you for years",
      kind: "percent",
      basisPoints: 500,
      audience: "existing",
      requiresCode: false,
      stacking: "stackable",
      duration: "forever",
    },
  },
  {
    daysFromNow: [-200, -100],
    details: { name: "Summer 15", code: "SUMMER15", kind: "percent", basisPoints: 1500 },
  },
];

/** Promotions of the demo company. Existing ones aren't changed. */
export const seedDemoPromotions = async (db: Db, now: Date) => {
  const at = (days: number | null) => (days === null ? null : new Date(+now + days * dayMs));
  let made = 0;
  for (const { daysFromNow, details } of demoPromotions) {
    const [known] = await run(db, "select from promotions where name = $1", [details.name]);
    if (known) continue;
    const parsed = promotionDetails.parse({ code: null, ...details });
    const [startsAt, endsAt] = daysFromNow.map(at);
    const id = await insertPromotion(db, {
      ...parsed,
      startsAt: startsAt ?? null,
      endsAt: endsAt ?? null,
    });
    // Published two weeks ahead, so that past sales can have redeemed it.
    const publishedAt = new Date(Math.min(+(startsAt ?? now) - 14 * dayMs, +now));
    await setMoments(db, id, { publishedAt });
    made += 1;
  }
  return made;
};
