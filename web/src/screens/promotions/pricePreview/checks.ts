import { plural, t } from "@lingui/core/macro";
import type { Consideration, WithheldReason } from "@purser/contract/promotions/pricing";
import { number } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { dayMs } from "#lib/time/dates.ts";
import type { PromotionBody } from "../form/values.ts";
import type { audienceLabels, intervalLabels } from "../labels.ts";

export type Check = { isMet: boolean; words: string };

type Previewed = {
  body: PromotionBody;
  /** Redemptions so far. */
  redemptions: number;
  pack: { id: string; name: string };
  interval: keyof typeof intervalLabels;
  /** The server's decision. */
  own: Pick<Consideration, "isApplied" | "reason" | "message"> | undefined;
};

type Fact = { reasons: WithheldReason[]; isMet: boolean; yes: string; no: string };

const timeFact = ({ startsAt, endsAt }: PromotionBody, now: number): Fact => {
  const hasBegun = !startsAt || Date.parse(startsAt) <= now;
  const isOver = Boolean(endsAt) && Date.parse(endsAt ?? "") <= now;
  const days = endsAt ? Math.floor((Date.parse(endsAt) - now) / dayMs) : 0;
  return {
    reasons: ["not started", "ended"],
    isMet: hasBegun && !isOver,
    yes: endsAt
      ? plural(days, { one: "Runs today, # day left", other: "Runs today, # days left" })
      : t`Runs today, no end date`,
    no: isOver ? t`Already ended` : t`Not started yet`,
  };
};

const intervalTexts: Record<keyof typeof intervalLabels, Pick<Fact, "yes" | "no">> = {
  once: { yes: t`One-time payments are included`, no: t`One-time payments aren't included` },
  day: { yes: t`Daily payments are included`, no: t`Daily payments aren't included` },
  week: { yes: t`Weekly payments are included`, no: t`Weekly payments aren't included` },
  month: { yes: t`Monthly payments are included`, no: t`Monthly payments aren't included` },
  year: { yes: t`Yearly payments are included`, no: t`Yearly payments aren't included` },
};

const audienceTexts: Record<Exclude<keyof typeof audienceLabels, "anyone">, string> = {
  new: t`Only for customers who never had a package`,
  existing: t`Only for customers who have or had a package`,
  "first purchase": t`Only for first-time buyers`,
  listed: t`Only for selected customers`,
};

const remainingText = (remaining: number, limit: number) => {
  const left = number(remaining);
  return plural(limit, {
    one: `${left} of # redemption left`,
    other: `${left} of # redemptions left`,
  });
};

const factsOf = ({ body, redemptions, pack, interval, own }: Previewed, now: number): Fact[] => {
  const { packageIds = [], intervals = [], redemptionLimit = null, audience = "anyone" } = body;
  const { name } = pack;
  return [
    timeFact(body, now),
    {
      reasons: ["package"],
      isMet: packageIds.length === 0 || packageIds.includes(pack.id),
      yes: t`${name} is included`,
      no: t`${name} isn't included`,
    },
    {
      reasons: ["interval"],
      isMet: intervals.length === 0 || intervals.includes(interval),
      ...intervalTexts[interval],
    },
    ...(redemptionLimit === null
      ? []
      : [
          {
            reasons: ["used up" as const],
            isMet: redemptions < redemptionLimit,
            yes: remainingText(redemptionLimit - redemptions, redemptionLimit),
            no: t`Redemption limit reached`,
          },
        ]),
    ...(audience === "anyone"
      ? []
      : [
          {
            reasons: ["audience" as const],
            isMet: own?.reason !== "audience",
            yes: audienceTexts[audience],
            no: audienceTexts[audience],
          },
        ]),
  ];
};

/** Why the promotion applies or not; the server's reason replaces the condition it decides. */
export const checksOf = (previewed: Previewed, now: number): Check[] => {
  const { own } = previewed;
  const facts = factsOf(previewed, now);
  const checks = facts.map(({ reasons, isMet, yes, no }): Check => {
    const decides = own?.reason && reasons.includes(own.reason);
    if (decides) return { isMet: false, words: messageText(own.message) };
    return { isMet, words: isMet ? yes : no };
  });
  const isListed = facts.some(({ reasons }) => own?.reason && reasons.includes(own.reason));
  return own?.reason && !isListed
    ? [...checks, { isMet: false, words: messageText(own.message) }]
    : checks;
};
