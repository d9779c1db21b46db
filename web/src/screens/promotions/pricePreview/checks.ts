import type { WithheldReason } from "@purser/contract/promotions/pricing";
import { count, number } from "#lib/labels.ts";
import { dayMs } from "#lib/time/dates.ts";
import type { PromotionBody } from "../form/values.ts";
import { audienceLabels, intervalLabels } from "../labels.ts";

export type Check = { isMet: boolean; words: string };

type Previewed = {
  body: PromotionBody;
  /** Redemptions so far. */
  uses: number;
  pack: { id: string; name: string };
  interval: keyof typeof intervalLabels;
  /** The server's decision. */
  own: { isApplied: boolean; reason: WithheldReason | null; words: string } | undefined;
};

type Fact = { reasons: WithheldReason[]; isMet: boolean; yes: string; no: string };

const timeFact = ({ startsAt, endsAt }: PromotionBody, now: number): Fact => {
  const hasBegun = !startsAt || Date.parse(startsAt) <= now;
  const isOver = Boolean(endsAt) && Date.parse(endsAt ?? "") <= now;
  const days = endsAt ? Math.floor((Date.parse(endsAt) - now) / dayMs) : 0;
  return {
    reasons: ["not started", "ended"],
    isMet: hasBegun && !isOver,
    yes: endsAt ? `Runs today, ${count(days, "day")} left` : "Runs today, without an end",
    no: isOver ? "Is over" : "Has not started",
  };
};

const factsOf = ({ body, uses, pack, interval, own }: Previewed, now: number): Fact[] => {
  const { packageIds = [], intervals = [], maxUses = null, audience = "anyone" } = body;
  const paid = intervalLabels[interval];
  return [
    timeFact(body, now),
    {
      reasons: ["package"],
      isMet: packageIds.length === 0 || packageIds.includes(pack.id),
      yes: `${pack.name} is included`,
      no: `${pack.name} is not included`,
    },
    {
      reasons: ["interval"],
      isMet: intervals.length === 0 || intervals.includes(interval),
      yes: `${paid} is included`,
      no: `${paid} is not included`,
    },
    ...(maxUses === null
      ? []
      : [
          {
            reasons: ["used up" as const],
            isMet: uses < maxUses,
            yes: `${number(maxUses - uses)} of ${count(maxUses, "use is", "uses are")} left`,
            no: `All ${count(maxUses, "use is", "uses are")} gone`,
          },
        ]),
    ...(audience === "anyone"
      ? []
      : [
          {
            reasons: ["audience" as const],
            isMet: own?.reason !== "audience",
            yes: `For: ${audienceLabels[audience].toLowerCase()}`,
            no: `Only for: ${audienceLabels[audience].toLowerCase()}`,
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
    if (decides) return { isMet: false, words: own.words };
    return { isMet, words: isMet ? yes : no };
  });
  const isListed = facts.some(({ reasons }) => own?.reason && reasons.includes(own.reason));
  return own?.reason && !isListed ? [...checks, { isMet: false, words: own.words }] : checks;
};
