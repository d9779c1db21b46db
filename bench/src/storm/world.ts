import { randomUUID } from "node:crypto";
import type { ApiClient } from "./api.ts";
import type { Packages } from "./catalog.ts";
import type { World } from "./client.ts";
import { createModel, type Sale } from "./model.ts";
import { randomOf } from "./random.ts";
import { recordSale } from "./sales.ts";
import type { Step } from "./step.ts";

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

// Continues when a subscription changes between these packages.
const lasting = {
  kind: "percent",
  basisPoints: 500,
  requiresCode: false,
  duration: "periods",
  periods: 3,
  redemptionLimitPerCustomer: 1,
};

const publishPromotions = async (api: ApiClient, all: object[]) => {
  const made: { id: string; restoresRedemption: boolean }[] = [];
  for (const details of all) {
    const path = "/promotions";
    const body = { name: "Storm", ...details };
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

/** Sales that all clients refund and dispute. */
const recordShared = async (common: Pick<Step, "api" | "model" | "packageId">, seed: number) => {
  const shared: Sale[] = [];
  for (let number = 0; number < sharedCount; number += 1) {
    const marker = `storm-${seed}-shared-${number}`;
    const step: Step = {
      ...common,
      marker,
      turn: 0,
      isDoubled: false,
      random: randomOf(seed, "shared", number),
      isPaused: () => false,
      note: (operation, { status, code }) => {
        common.model.done.push({ marker, operation, isDone: status < 300, refusal: code });
      },
    };
    const email = `shared-${number}@storm.example`;
    const { packageId } = common;
    const wanted = { email, packageId, interval: "once", codes: [], state: "succeeded" } as const;
    const sale = await recordSale(step, { ...wanted, codes: [] });
    if (sale) shared.push(sale);
  }
  return shared;
};

/** Creates the promotions, sales and customers that all clients share. */
export const makeWorld = async (
  api: ApiClient,
  packages: Packages,
  { seed, providerSecret }: { seed: number; providerSecret: string },
): Promise<World> => {
  const { usual, ...changing } = packages;
  const made = await publishPromotions(
    api,
    promotions.map((one) => ({ ...one, packageIds: [usual] })),
  );
  await publishPromotions(api, [{ ...lasting, packageIds: Object.values(changing) }]);
  const model = createModel(made);
  const shared = await recordShared({ api, model, packageId: usual }, seed);
  const codes = promotions.flatMap(({ code }) => code ?? []);
  return { api, model, packages, codes, shared, customers: [], seed, providerSecret };
};
