import type { Role } from "@purser/contract/auth/permissions";
import { previewPromotion } from "@purser/contract/promotions/pricing";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import type { FastifyInstance } from "fastify";
import {
  findByEmail,
  findVisible,
  lockCustomerFor,
} from "#modules/entitlements/customerQueries.ts";
import { approveMove } from "#modules/entitlements/grantApproval.ts";
import { refusalOfCustomer } from "#modules/entitlements/rules.ts";
import { considerDraft, unsavedId } from "#modules/promotions/pricing/draft.ts";
import { findOneConsidered, findUnknownCodes } from "#modules/promotions/pricing/queries.ts";
import { assertMayAttempt, countAttempt, undoAttempt } from "#platform/auth/attempts.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { type Call, serve, serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { zoneOf } from "#platform/settings.ts";
import { shownCredit } from "../lines/charge.ts";
import type { Item } from "./offerQueries.ts";
import {
  readOffer,
  refusalOfAddOns,
  refusalOfCodes,
  refusalOfQuantity,
  unknownCode,
} from "./offers.ts";
import type { Plan } from "./plan.ts";
import { planPurchase } from "./planPurchase.ts";
import { type GivenTax, priceSale } from "./priceSale.ts";
import { recordSale, replacedBy } from "./recordSale.ts";
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

type Body = Call<typeof quoteSale>["body"];

const givenTaxOf = ({
  manualTax,
  taxReason,
}: Pick<Body, "manualTax" | "taxReason">): GivenTax | null =>
  manualTax === null ? null : { amount: manualTax, treatment: "manual", reason: taxReason };

/** The package and the add-ons that are sold with it. */
const readItems = async (db: Db, body: Body): Promise<Item[]> => {
  const { packageId, currency, interval, intervalCount, quantity, addOns } = body;
  const terms = { currency, interval, intervalCount };
  const items = [{ offer: await readOffer(db, { packageId, ...terms }), quantity }];
  for (const addOn of addOns)
    items.push({ offer: await readOffer(db, { ...addOn, ...terms }), quantity: addOn.quantity });
  for (const [place, item] of items.entries()) refuse(refusalOfQuantity(item, place));
  return items;
};

const purchaseOf = (
  body: Body,
  { items, userId, zone }: { items: Item[]; userId: string | null; zone: string },
) => ({
  items,
  userId,
  codes: body.codes,
  givenTax: givenTaxOf(body),
  at: body.occurredAt,
  usesBalance: body.useBalance,
  zone,
});

type QuotedFor = { now: Date; zone: string; caller: { role: Role } };

const quoteOf = async (db: Db, body: Body, { now, zone, caller }: QuotedFor) => {
  const { email, occurredAt: at } = body;
  const items = await readItems(db, body);
  const customer = (await findByEmail(db, email, caller)) ?? null;
  const userId = customer?.id ?? null;
  const planned = await planPurchase(db, purchaseOf(body, { items, userId, zone }));
  const { priced, plans, charge, promotions } = planned;
  const { currency, total } = priced.quote;
  const [item] = items as [Item];
  const [plan] = plans as [Plan];
  const { offer } = item;
  const same = { packageId: offer.packageId, currency, total, occurredAt: at };
  const replaced = replacedBy(plans);
  return {
    quote: priced.quote,
    lines: priced.lines,
    credits: charge.credits.map(shownCredit),
    payment: charge.payment,
    promotions,
    rejectedCodes: priced.rejected,
    effect: {
      makes: plan.makes,
      version: offer.version,
      apps: offer.apps,
      features: offer.features,
      from: plan.period?.start ?? at,
      until: plan.period?.end ?? null,
      replaces: replaced ? await findReplaced(db, replaced.id, now) : [],
    },
    customer,
    duplicates: userId ? await findDuplicates(db, { userId, ...same }) : [],
  };
};

export const saleRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serveInSteps(app, quoteSale, async ({ db, body, now, session, change }) => {
    await assertCodesCounted(db, body.codes, { userId: session.userId, now });
    return change(async (within) =>
      quoteOf(within, body, { now, zone: await findZone(within), caller: session }),
    );
  });

  serve(app, createTransaction, async ({ db, body, now, session, requireApproval }) => {
    const { email, codes, occurredAt: at, state, provider, reference, note, tags } = body;
    if (at > now)
      throw invalidAt(
        "/occurredAt",
        message("date_future", "Choose a date and time that isn't in the future."),
      );
    const customer = await lockCustomerFor(db, session, { email });
    refuse(refusalOfCustomer(customer), [customer.name]);
    const items = await readItems(db, body);
    await assertMayAttempt(db, subjectOf(session.userId), now);
    await assertCodesKnown(db, codes);
    const userId = customer.id;
    refuse(await refusalOfAddOns(db, items, { userId, at }));
    const zone = await findZone(db);
    const planned = await planPurchase(db, purchaseOf(body, { items, userId, zone }));
    const { priced, plans, charge } = planned;
    if (!body.acceptRejectedCodes) refuse(refusalOfCodes(priced.rejected));
    const { total, currency } = priced.quote;
    const { due } = charge.payment;
    if (total !== body.total || (body.due !== undefined && body.due !== due))
      throw new Problem(
        "impact_changed",
        message(
          "sale_price_changed",
          "The price has changed. Review it and record the sale again.",
        ),
        { current: { total, due } },
      );
    const packageId = body.packageId;
    const same = { userId, packageId, currency, total, occurredAt: at };
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
    await approveMove(db, customer, { what: "Manual sale", requireApproval });
    return recordSale(
      db,
      {
        userId,
        items,
        priced,
        plans,
        charge,
        // Nothing is left to wait for if credits and the balance pay everything.
        state: state === "pending" && due === 0 ? "succeeded" : state,
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

  serve(app, previewPromotion, async ({ db, body, now, session }) => {
    const { userId: asked, promotionId, details, ...wanted } = body;
    // Like a new customer for callers who can't see team members.
    const userId = (asked && (await findVisible(db, asked, session))?.id) ?? null;
    const offer = await readOffer(db, wanted);
    const zone = await findZone(db);
    const sale = { items: [{ offer, quantity: 1 }], userId, codes: [], at: now, zone };
    const stored = promotionId ? await findOneConsidered(db, promotionId, userId) : undefined;
    const drafted = considerDraft(details, stored);
    const { quote } = await priceSale(db, sale, (others) => [
      ...others.filter(({ promotion }) => promotion.id !== promotionId),
      { ...drafted, promotion: { ...drafted.promotion, id: promotionId ?? unsavedId } },
    ]);
    return quote;
  });
};
