// No rules.ts: tax.ts has the rules, and an exclusion constraint keeps the rates of a country apart.
import {
  changeTaxRate,
  createTaxRate,
  deleteTaxRate,
  listTaxRates,
  taxRate as taxRateReply,
} from "@purser/contract/money/taxRates";
import type { FastifyInstance } from "fastify";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import {
  findTaxRates,
  insertTaxRate,
  lockTaxRate,
  removeTaxRate,
  updateTaxRate,
} from "./queries.ts";

export const taxRateRoutes = (app: FastifyInstance) => {
  serve(app, listTaxRates, async ({ db }) => ({ items: await findTaxRates(db) }));

  serve(app, createTaxRate, async ({ db, body: { reason: _, ...details } }) =>
    existing(await lockTaxRate(db, await insertTaxRate(db, details)), "taxRate"),
  );

  serve(
    app,
    changeTaxRate,
    async ({ db, params: { id }, body: { reason: _, ...details }, assertVersion }) => {
      assertVersion(existing(await lockTaxRate(db, id), "taxRate"), taxRateReply);
      await updateTaxRate(db, id, details);
      return existing(await lockTaxRate(db, id), "taxRate");
    },
  );

  serve(app, deleteTaxRate, async ({ db, params: { id }, assertVersion }) => {
    assertVersion(existing(await lockTaxRate(db, id), "taxRate"), taxRateReply);
    await removeTaxRate(db, id);
  });
};
