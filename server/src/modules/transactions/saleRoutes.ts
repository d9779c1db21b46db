import { previewPromotion } from "@purser/contract/pricing";
import { createTransaction, quoteSale } from "@purser/contract/transactions";
import type { FastifyInstance } from "fastify";
import { assertMayTry, countTry, limits } from "#platform/auth/tries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { existing, invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { findOneConsidered, findUnknownCodes } from "../promotions/consider.ts";
import { draftedOf } from "../promotions/draft.ts";
import { refusalOfPerson } from "../rights/rules.ts";
import { lockOrInsertCustomer } from "../users/queries.ts";
import { findDuplicates, findTransaction } from "./queries.ts";
import { planFor, recordSale } from "./record.ts";
import { type Plan, priceSale, readOffer, unknownCode } from "./sale.ts";

const findUser = async (db: Db, email: string) =>
  (
    await run<{ id: string; name: string; email: string }>(
      db,
      "select id, name, email from users where email = $1",
      [email],
    )
  )[0];

/** Rights that a change of package ends, by name. */
const findReplaced = (db: Db, { current, makes }: Plan, now: Date) =>
  makes === "change" && current
    ? run<{ grantId: string; name: string; until: Date | null }>(
        db,
        `select g.id as "grantId", p.name, nullif(g.ends_at, 'infinity') as until
         from grants g join packages p on p.id = g.package_id
         where g.subscription_id = $1 and g.ends_at > $2 order by g.starts_at`,
        [current.id, now],
      )
    : [];

/** Stands for a promotion that was never saved. */
const nobody = "00000000-0000-7000-8000-000000000000";

/** Wrong codes are counted outside of the request, which is refused: nobody finds one by trying. */
const codeJudge =
  (outside: Db) => async (db: Db, codes: readonly string[], by: { userId: string; now: Date }) => {
    if (codes.length === 0) return;
    const { userId, now } = by;
    const subject = `promotion codes ${userId}`;
    await assertMayTry(outside, subject, now);
    const [unknown] = await findUnknownCodes(db, codes);
    if (unknown === undefined) return;
    await countTry(outside, subject, limits.promotionCode, now);
    throw unknownCode(codes, unknown);
  };

export const saleRoutes = (app: FastifyInstance) => {
  const { config, db: outside } = app.platform;
  const zone = config.COMPANY_TIME_ZONE;

  const judgeCodes = codeJudge(outside);

  serve(app, quoteSale, async ({ db, body, now, session }) => {
    const { email, codes, tax, occurredAt: at, ...asked } = body;
    const offer = await readOffer(db, asked);
    await judgeCodes(db, codes, { userId: session.userId, now });
    const person = (await findUser(db, email)) ?? null;
    const userId = person?.id ?? null;
    const priced = await priceSale(db, { offer, userId, codes, tax, at, zone });
    const plan = await planFor(db, { userId, offer, trialDays: priced.quote.trialDays, at, zone });
    const { currency, total } = priced.quote;
    return {
      quote: priced.quote,
      effect: {
        makes: plan.makes,
        version: offer.version,
        apps: offer.apps,
        features: offer.features,
        from: plan.period?.start ?? at,
        until: plan.period?.end ?? null,
        replaces: await findReplaced(db, plan, now),
      },
      person,
      duplicates: userId
        ? await findDuplicates(db, {
            ...{ userId, packageId: offer.packageId, currency, total, occurredAt: at },
          })
        : [],
    };
  });

  serve(app, createTransaction, async ({ db, body, now, session }) => {
    const { email, codes, tax, occurredAt: at, state, provider, reference, note, tags } = body;
    if (at > now) throw invalidAt("/occurredAt", "future", "must not be later than now");
    const person = await lockOrInsertCustomer(db, email);
    refuse(refusalOfPerson(person));
    const offer = await readOffer(db, body);
    await judgeCodes(db, codes, { userId: session.userId, now });
    const userId = person.id;
    const priced = await priceSale(db, { offer, userId, codes, tax, at, zone });
    const { total, currency } = priced.quote;
    if (total !== body.total)
      throw new Problem(
        "impact_changed",
        "The price is another one now. Look at it, then record it again.",
        { current: { total } },
      );
    const same = { userId, packageId: offer.packageId, currency, total, occurredAt: at };
    const [duplicate] = body.isNoDuplicate ? [] : await findDuplicates(db, same);
    if (duplicate)
      throw new Problem(
        "duplicate",
        `${duplicate.number} is of the same person, package and amount within 24 hours. Record it if it is another one.`,
        { current: duplicate },
      );
    const plan = await planFor(db, { userId, offer, trialDays: priced.quote.trialDays, at, zone });
    const id = await recordSale(
      db,
      {
        ...{ userId, offer, priced, plan, state, provider, reference, occurredAt: at },
        ...{ note, tags, by: session.userId, zone },
      },
      now,
    );
    return existing(await findTransaction(db, id), "transaction");
  });
};

export const promotionPreviewRoutes = (app: FastifyInstance) => {
  const zone = app.platform.config.COMPANY_TIME_ZONE;

  serve(app, previewPromotion, async ({ db, body, now }) => {
    const { userId, promotionId, details, ...asked } = body;
    const offer = await readOffer(db, asked);
    const sale = { offer, userId, codes: [], tax: 0, at: now, zone };
    const stored = promotionId ? await findOneConsidered(db, promotionId, userId) : undefined;
    const drafted = draftedOf(details, stored);
    const { quote } = await priceSale(db, sale, (others) => [
      ...others.filter(({ promotion }) => promotion.id !== promotionId),
      { ...drafted, promotion: { ...drafted.promotion, id: promotionId ?? nobody } },
    ]);
    return quote;
  });
};
