import { previewPromotion } from "@purser/contract/promotions/pricing";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import type { FastifyInstance } from "fastify";
import { findByEmail, lockCustomer } from "#modules/entitlements/customerQueries.ts";
import { refusalOfCustomer } from "#modules/entitlements/rules.ts";
import { considerDraft, unsavedId } from "#modules/promotions/pricing/draft.ts";
import { findOneConsidered, findUnknownCodes } from "#modules/promotions/pricing/queries.ts";
import { assertMayAttempt, countAttempt, undoAttempt } from "#platform/auth/attempts.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { type Call, serve, serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { zoneOf } from "#platform/settings.ts";
import { readOffer, unknownCode } from "./offers.ts";
import { planFor } from "./planFor.ts";
import { priceSale } from "./priceSale.ts";
import { recordSale } from "./recordSale.ts";
import { findDuplicates, findReplaced } from "./saleQueries.ts";

const subjectOf = (userId: string) => `promotion codes ${userId}`;

const assertCodesKnown = async (db: Db, codes: readonly string[]) => {
  const [unknown] = await findUnknownCodes(db, codes);
  if (unknown !== undefined) throw unknownCode(codes, unknown);
};

const codeLimit = { free: 30, firstSeconds: 60 };

/** Wrong codes count as attempts even though the request is refused, so that codes can't be guessed. */
const assertCodesCounted = async (
  db: Db,
  codes: readonly string[],
  { userId, now }: { userId: string; now: Date },
) => {
  if (codes.length === 0) return;
  const subject = subjectOf(userId);
  await countAttempt(db, subject, codeLimit, now);
  await assertCodesKnown(db, codes);
  await undoAttempt(db, subject);
};

const quoteOf = async (
  db: Db,
  body: Call<typeof quoteSale>["body"],
  { now, zone }: { now: Date; zone: string },
) => {
  const { email, codes, tax, occurredAt: at, ...wanted } = body;
  const offer = await readOffer(db, wanted);
  const customer = (await findByEmail(db, email)) ?? null;
  const userId = customer?.id ?? null;
  const priced = await priceSale(db, { offer, userId, codes, tax, at, zone });
  const plan = await planFor(db, { userId, offer, trialDays: priced.quote.trialDays, at, zone });
  const { currency, total } = priced.quote;
  const same = { packageId: offer.packageId, currency, total, occurredAt: at };
  return {
    quote: priced.quote,
    effect: {
      makes: plan.makes,
      version: offer.version,
      apps: offer.apps,
      features: offer.features,
      from: plan.period?.start ?? at,
      until: plan.period?.end ?? null,
      replaces:
        plan.makes === "change" && plan.current ? await findReplaced(db, plan.current.id, now) : [],
    },
    customer,
    duplicates: userId ? await findDuplicates(db, { userId, ...same }) : [],
  };
};

export const saleRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serveInSteps(app, quoteSale, async ({ db, body, now, session, change }) => {
    await assertCodesCounted(db, body.codes, { userId: session.userId, now });
    return change(async (within) => quoteOf(within, body, { now, zone: await findZone(within) }));
  });

  serve(app, createTransaction, async ({ db, body, now, session }) => {
    const { email, codes, tax, occurredAt: at, state, provider, reference, note, tags } = body;
    if (at > now)
      throw invalidAt(
        "/occurredAt",
        message("date_future", "Choose a date and time that isn't in the future."),
      );
    const customer = await lockCustomer(db, { email });
    refuse(refusalOfCustomer(customer), [customer.name]);
    const offer = await readOffer(db, body);
    await assertMayAttempt(db, subjectOf(session.userId), now);
    await assertCodesKnown(db, codes);
    const userId = customer.id;
    const zone = await findZone(db);
    const priced = await priceSale(db, { offer, userId, codes, tax, at, zone });
    const { total, currency } = priced.quote;
    if (total !== body.total)
      throw new Problem(
        "impact_changed",
        message(
          "sale_price_changed",
          "The price has changed. Review it and record the sale again.",
        ),
        { current: { total } },
      );
    const same = { userId, packageId: offer.packageId, currency, total, occurredAt: at };
    const [duplicate] = body.isNoDuplicate ? [] : await findDuplicates(db, same);
    if (duplicate)
      throw new Problem(
        "duplicate",
        message(
          "sale_duplicate",
          "{number} has the same customer, package and amount within 24 hours. Confirm that this is a separate sale to record it.",
          { number: duplicate.number },
        ),
        { current: duplicate },
      );
    const plan = await planFor(db, { userId, offer, trialDays: priced.quote.trialDays, at, zone });
    return recordSale(
      db,
      {
        userId,
        offer,
        priced,
        plan,
        state,
        provider,
        reference,
        occurredAt: at,
        note,
        tags,
        by: session.userId,
        zone,
      },
      now,
    );
  });
};

export const promotionPreviewRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, previewPromotion, async ({ db, body, now }) => {
    const { userId, promotionId, details, ...wanted } = body;
    const offer = await readOffer(db, wanted);
    const zone = await findZone(db);
    const sale = { offer, userId, codes: [], tax: 0, at: now, zone };
    const stored = promotionId ? await findOneConsidered(db, promotionId, userId) : undefined;
    const drafted = considerDraft(details, stored);
    const { quote } = await priceSale(db, sale, (others) => [
      ...others.filter(({ promotion }) => promotion.id !== promotionId),
      { ...drafted, promotion: { ...drafted.promotion, id: promotionId ?? unsavedId } },
    ]);
    return quote;
  });
};
