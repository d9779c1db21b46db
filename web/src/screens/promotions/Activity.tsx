import { currencies, formatMoney } from "@purser/contract/fields/money";
import type { Value } from "@purser/contract/fields/values";
import { getPromotionActivity } from "@purser/contract/promotions/endpoints";
import { promotionLabels } from "@purser/contract/promotions/fields";
import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { formatExact } from "#lib/time/dates.ts";
import {
  Activity,
  activityQueryOf,
  type ColumnLabels,
  type Entry,
  historyLabels,
} from "#ui/record/Activity.tsx";
import {
  audienceLabels,
  durationLabels,
  intervalLabels,
  kindLabels,
  levelLabels,
  percentLabels,
  valueLabels,
} from "./labels.ts";
import type { Promotion } from "./queries.ts";
import { zone } from "./schedule.ts";

const among = (words: Record<string, string>) => (value: unknown) =>
  words[String(value)] ?? String(value);

const moment = (value: unknown) => formatExact(zone, new Date(String(value)));
const counted = (value: unknown) => number(Number(value));
const yesOrNo = (value: unknown) => (value === true ? "yes" : "no");

const columnLabels = ({ feature }: Promotion) =>
  historyLabels(promotionLabels, {
    kind: { show: among(kindLabels) },
    basisPoints: { show: (value) => percentLabels(Number(value)) },
    featureId: { show: () => feature?.name ?? "a feature" },
    value: { show: (value) => valueLabels(value as Value) },
    level: { show: among(levelLabels) },
    duration: {
      show: (value) =>
        value === "periods"
          ? "Several payments"
          : durationLabels({ duration: value as Promotion["duration"], periods: null }),
    },
    startsAt: { show: moment },
    endsAt: { show: moment },
    maxUses: { show: counted },
    maxUsesPerUser: { show: counted },
    audience: { show: among(audienceLabels) },
    intervals: {
      show: (value) => (Array.isArray(value) ? value.map(among(intervalLabels)).join(", ") : ""),
    },
    stacking: {
      show: among({ exclusive: "never", stackable: "may be combined" }),
    },
    needsCode: { show: yesOrNo },
    returnsUse: { show: yesOrNo },
    publishedAt: { show: moment },
    pausedAt: { show: moment },
    archivedAt: { show: moment },
  });

const amountLabels = { off: "off", minimum: "from", cap: "at most", budget: "in all" } as const;

const amountsLabels = (currency: string) => (value: unknown) =>
  Object.entries(amountLabels)
    .flatMap(([part, label]) => {
      const amount = (value as Record<string, unknown> | null)?.[part];
      return typeof amount === "number" ? [`${label} ${formatMoney(amount, currency)}`] : [];
    })
    .join(", ");

/** Each currency, package and customer is a field, named by its code or id. */
const partLabels = (promotion: Promotion, { entity, changes }: Entry): ColumnLabels =>
  Object.fromEntries(
    changes.map(({ field }) => {
      if (entity === "promotion_amounts" && currencies.includes(field))
        return [field, { label: field, show: amountsLabels(field) }];
      if (entity === "promotion_codes")
        return [field, { label: field === "made" ? "Codes made" : "Code", show: String }];
      if (entity === "promotion_packages") {
        const known = promotion.packages.find(({ id }) => id === field)?.name;
        return [field, { label: known ?? `A package …${field.slice(-4)}`, show: () => "included" }];
      }
      return [field, { label: `A person …${field.slice(-4)}`, show: () => "on the list" }];
    }),
  );

const parts: Record<string, string | undefined> = {
  promotion_amounts: "changed amounts of the promotion",
  promotion_packages: "changed the packages of the promotion",
  promotion_people: "changed the list of people",
  promotion_codes: "changed the codes of the promotion",
};

const moments = [
  ["archivedAt", "archived", "restored"],
  ["publishedAt", "published", "published"],
  ["pausedAt", "paused", "resumed"],
] as const;

const verbs = { insert: "created", update: "changed", delete: "deleted" } as const;

const deedOf = ({ entity, action, changes }: Entry) => {
  const part = parts[entity];
  if (part) return part;
  for (const [field, begun, ended] of moments) {
    const change = action === "update" && changes.find((one) => one.field === field);
    if (change) return `${change.after ? begun : ended} the promotion`;
  }
  return `${verbs[action]} the promotion`;
};

/** The history of a promotion, its amounts and its audience. */
export const PromotionActivity = ({ promotion }: { promotion: Promotion }) => {
  const { id } = promotion;
  const query = activityQueryOf("promotions", id, (asked) =>
    call(getPromotionActivity, { params: { id }, query: asked }),
  );
  const { data } = useInfiniteQuery(query);
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const words: ColumnLabels = Object.assign(
    {},
    ...entries.filter(({ entity }) => parts[entity]).map((entry) => partLabels(promotion, entry)),
    columnLabels(promotion),
  );
  return <Activity query={query} deedOf={deedOf} words={words} place={{ preview: id }} />;
};
