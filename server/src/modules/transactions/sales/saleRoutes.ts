import type { Holder } from "@purser/contract/auth/permissions";
import { previewPromotion } from "@purser/contract/promotions/pricing";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import type { FastifyInstance } from "fastify";
import { findBuyer, findVisible } from "#modules/entitlements/customerQueries.ts";
import { approveMove } from "#modules/entitlements/grantApproval.ts";
import { refusalOfCustomer } from "#modules/entitlements/rules.ts";
import { considerDraft, unsavedId } from "#modules/promotions/pricing/draft.ts";
import { findOneConsidered, unknownCodesOf } from "#modules/promotions/pricing/queries.ts";
import { assertMayAttempt } from "#platform/auth/attempts.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { type Call, serve, serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { zoneOf } from "#platform/settings.ts";
import { shownCredit } from "../lines/charge.ts";
import { assertCodesCounted, assertNoUnknown, subjectOf } from "./codeAttempts.ts";
import type { Item } from "./offerQueries.ts";
import {
  offerOf,
  readOffer,
  refusalOfAddOns,
  refusalOfCodes,
  refusalOfQuantity,
} from "./offers.ts";
import type { Plan } from "./plan.ts";
import { planPurchase } from "./planPurchase.ts";
import { type GivenTax, priceSale } from "./priceSale.ts";
import { recordSale, replacedBy } from "./recordSale.ts";
import {
  findPricingFacts,
  findSaleFacts,
  lockBuyer,
  type PricingFacts,
} from "./saleFactsQueries.ts";
import { findDuplicates, findReplaced } from "./saleQueries.ts";

type Body = Call<typeof quoteSale>["body"];

const givenTaxOf = ({
  manualTax,
  taxReason,
}: Pick<Body, "manualTax" | "taxReason">): GivenTax | null =>
  manualTax === null ? null : { amount: manualTax, treatment: "manual", reason: taxReason };

/** The package and the add-ons that are sold with it. */
const wantedOf = ({ packageId, quantity, addOns }: Body) => [{ packageId, quantity }, ...addOns];

const assertQuantities = (items: readonly Item[]) => {
  for (const [place, item] of items.entries()) refuse(refusalOfQuantity(item, place));
};

const readItems = async (db: Db, body: Body): Promise<Item[]> => {
  const { currency, interval, intervalCount } = body;
  const items = [];
  for (const { packageId, quantity } of wantedOf(body)) {
    const offer = await readOffer(db, { packageId, currency, interval, intervalCount });
    items.push({ offer, quantity });
  }
  assertQuantities(items);
  return items;
};

type SaleFacts = Awaited<ReturnType<typeof findSaleFacts>>;

const itemsOf = ({ offers }: SaleFacts, body: Body): Item[] => {
  const items = wantedOf(body).map(({ packageId, quantity }) => {
    const found = offers.find((one) => one.packageId === packageId);
    return { offer: offerOf(found, found?.archived ?? []), quantity };
  });
  assertQuantities(items);
  return items;
};

const featuresOf = ({ offers }: SaleFacts) =>
  offers.find(({ versionFeatures }) => versionFeatures)?.versionFeatures ?? undefined;

const assertNoDuplicate = (
  { duplicates: [duplicate] }: SaleFacts,
  { isNoDuplicate }: { isNoDuplicate: boolean },
) => {
  if (!duplicate || isNoDuplicate) return;
  const current = { ...duplicate, occurredAt: new Date(duplicate.occurredAt) };
  throw new Problem(
    "duplicate",
    message(
      "sale_duplicate",
      "{number} has the same customer, package and amount within 24 hours. Confirm that this is a separate sale to record it.",
      { number: duplicate.number },
    ),
    { current },
  );
};

type Bought = { items: Item[]; userId: string | null; zone: string; facts: PricingFacts };

const purchaseOf = (body: Body, bought: Bought) => ({
  ...bought,
  codes: body.codes,
  givenTax: givenTaxOf(body),
  at: body.occurredAt,
  usesBalance: body.useBalance,
});

type QuotedFor = { now: Date; zone: string; caller: Holder };

const quoteOf = async (db: Db, body: Body, { now, zone, caller }: QuotedFor) => {
  const { occurredAt: at } = body;
  const items = await readItems(db, body);
  const customer = (await findBuyer(db, body, caller)) ?? null;
  const userId = customer?.id ?? null;
  const facts = await findPricingFacts(db, { items, userId, codes: body.codes, at });
  const planned = await planPurchase(db, purchaseOf(body, { items, userId, zone, facts }));
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
  const { config } = app.platform;
  const findZone = zoneOf(config);

  serveInSteps(app, quoteSale, async ({ db, body, now, session, change }) => {
    await assertCodesCounted(db, body.codes, { userId: session.userId, now });
    return change(async (within) =>
      quoteOf(within, body, { now, zone: await findZone(within), caller: session }),
    );
  });

  serve(app, createTransaction, async ({ db, body, now, session, requireApproval, lastly }) => {
    const { user, email, codes, occurredAt: at, state, provider, reference, note, tags } = body;
    if (at > now)
      throw invalidAt(
        "/occurredAt",
        message("date_future", "Choose a date and time that isn't in the future."),
      );
    const packageIds = wantedOf(body).map(({ packageId }) => packageId);
    const customer = await lockBuyer(db, session, { user, email, packageIds });
    refuse(refusalOfCustomer(customer), [customer.name]);
    const userId = customer.id;
    const subject = subjectOf(session.userId);
    const facts = await findSaleFacts(db, { ...body, userId, at, packageIds, subject, now });
    const items = itemsOf(facts, body);
    // Reads how long the caller must wait.
    if (facts.isBlocked) await assertMayAttempt(db, subject, now);
    assertNoUnknown(codes, unknownCodesOf(codes, facts.knownCodes));
    refuse(await refusalOfAddOns(db, items, { userId, at }));
    const zone = facts.timeZone ?? config.COMPANY_TIME_ZONE;
    const planned = await planPurchase(db, purchaseOf(body, { items, userId, zone, facts }));
    const { priced, charge } = planned;
    if (!body.acceptRejectedCodes) refuse(refusalOfCodes(priced.rejected));
    const { total } = priced.quote;
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
    assertNoDuplicate(facts, body);
    await approveMove(customer, { what: "Manual sale", requireApproval });
    return recordSale(
      db,
      {
        ...planned,
        userId,
        items,
        features: featuresOf(facts),
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
      lastly,
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
    const bought = { items: [{ offer, quantity: 1 }], userId, codes: [], at: now };
    const sale = { ...bought, zone, facts: await findPricingFacts(db, bought) };
    const stored = promotionId ? await findOneConsidered(db, promotionId, userId) : undefined;
    const drafted = considerDraft(details, stored);
    const { quote } = await priceSale(db, sale, (others) => [
      ...others.filter(({ promotion }) => promotion.id !== promotionId),
      { ...drafted, promotion: { ...drafted.promotion, id: promotionId ?? unsavedId } },
    ]);
    return quote;
  });
};
