import { randomUUID } from "node:crypto";
import { seedDemoApps } from "../../../server/src/modules/apps/seed/seed.ts";
import { seedDemoFeatures } from "../../../server/src/modules/features/seed/seed.ts";
import { type SeedPackage, seedPackages } from "../../../server/src/modules/packages/seed/seed.ts";
import { connectAsOwner } from "../../../server/src/platform/db/db.ts";
import type { ApiClient } from "./api.ts";
import type { World } from "./client.ts";
import { createModel, type Sale } from "./model.ts";
import { randomOf } from "./random.ts";
import { recordSale } from "./sales.ts";

const price = (amount: number, interval: "month" | "once") => ({
  currency: "EUR",
  amount,
  interval,
  intervalCount: 1,
});

const packageOf = (code: string, monthly: number): SeedPackage => ({
  code,
  name: code,
  description: "",
  kind: "base",
  group: "storm",
  sort: monthly,
  versions: [
    {
      values: { "harbor/berths": monthly },
      prices: [price(monthly, "month"), price(monthly * 25, "once")],
      trialDays: 0,
      note: "Sold in the storm.",
      daysAgo: 100,
    },
  ],
});

/** Three packages of a group. One is sold, and subscriptions change to the others. */
export const makePackages = async (databaseUrl: string) => {
  const { db } = connectAsOwner(databaseUrl);
  try {
    const now = new Date();
    const prices = { usual: 1200, cheap: 500, dear: 3000 };
    await seedDemoApps(db, now);
    await seedDemoFeatures(db, now);
    const sold = Object.entries(prices).map(([code, monthly]) => packageOf(code, monthly));
    await seedPackages(db, sold, now);
    const rows = await db.selectFrom("packages").select(["code", "id"]).execute();
    const idOf = (code: string) => rows.find((row) => row.code === code)?.id ?? "";
    return { usual: idOf("usual"), cheap: idOf("cheap"), dear: idOf("dear") };
  } finally {
    await db.destroy();
  }
};

// Each has another limit that many clients reach at the same time.
const promotions = [
  {
    code: "STORM10",
    kind: "percent",
    basisPoints: 1000,
    redemptionLimit: 150,
    restoresRedemption: true,
  },
  {
    code: "STORMTWICE",
    kind: "percent",
    basisPoints: 700,
    redemptionLimitPerCustomer: 1,
    redemptionLimit: 400,
  },
  {
    code: "STORMBUDGET",
    kind: "fixed",
    restoresRedemption: true,
    amounts: [{ currency: "EUR", off: 333, budget: 20_000 }],
  },
  {
    kind: "percent",
    basisPoints: 333,
    requiresCode: false,
    stacking: "stackable",
    redemptionLimit: 2000,
  },
];

const publishPromotions = async (api: ApiClient) => {
  const made: { id: string; restoresRedemption: boolean }[] = [];
  for (const [place, details] of promotions.entries()) {
    const path = "/promotions";
    const body = { name: `Storm ${place}`, ...details };
    const answer = await api.send({ path, body, key: randomUUID() });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    const { id, version, restoresRedemption } = answer.body as {
      id: string;
      version: number;
      restoresRedemption: boolean;
    };
    const published = { path: `${path}/${id}/publish`, body: {}, key: randomUUID(), version };
    await api.send(published);
    made.push({ id, restoresRedemption });
  }
  return made;
};

const sharedCount = 24;

/** Creates the promotions and sales that all clients share. */
export const makeWorld = async (
  api: ApiClient,
  packages: World["packages"],
  seed: number,
): Promise<World> => {
  const model = createModel(await publishPromotions(api));
  const shared: Sale[] = [];
  for (let number = 0; number < sharedCount; number += 1) {
    const marker = `storm-${seed}-shared-${number}`;
    const step = {
      api,
      model,
      packages,
      marker,
      turn: 0,
      isDoubled: false,
      random: randomOf(seed, "shared", number),
      isPaused: () => false,
      isChanged: () => false,
      note: (operation: string, { status, code }: { status: number; code: string | null }) => {
        model.done.push({ marker, operation, isDone: status < 300, refusal: code });
      },
    };
    const email = `shared-${number}@storm.example`;
    const wanted = { email, packageId: packages.usual, interval: "once", codes: [] } as const;
    const sale = await recordSale(step, { ...wanted, codes: [], state: "succeeded" });
    if (sale) shared.push(sale);
  }
  const codes = promotions.flatMap(({ code }) => code ?? []);
  return { api, model, packages, codes, shared, seed };
};
