import { t } from "@lingui/core/macro";
import { currencies } from "@purser/contract/fields/amounts";
import type { Value } from "@purser/contract/fields/values";
import { getPromotionActivity } from "@purser/contract/promotions/endpoints";
import { currentDuration, promotionLabels } from "@purser/contract/promotions/fields";
import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { money, number, percentOfBasisPoints, series } from "#lib/intl.ts";
import { labelIn } from "#lib/labels/labelIn.ts";
import { formatExact } from "#lib/time/dates.ts";
import { RecordComments } from "#ui/comments/RecordComments.tsx";
import {
  Activity,
  activityQueryOf,
  type ColumnLabels,
  type Entry,
  historyLabels,
} from "#ui/record/Activity.tsx";
import {
  amountTexts,
  audienceLabels,
  durationLabels,
  intervalLabels,
  kindLabels,
  levelLabels,
  severalPayments,
  stackingLabels,
  valueLabels,
} from "./labels.ts";
import type { Promotion } from "./queries.ts";
import { zone } from "./schedule.ts";

const moment = (value: unknown) => formatExact(zone, new Date(String(value)));
const counted = (value: unknown) => number(Number(value));
const yesOrNo = (value: unknown) => (value === true ? t`Yes` : t`No`);

const columnLabels = ({ feature }: Promotion) =>
  historyLabels(promotionLabels, {
    kind: { show: labelIn(kindLabels) },
    basisPoints: { show: (value) => percentOfBasisPoints(Number(value)) },
    featureId: { show: () => feature?.name ?? t`Unknown feature` },
    value: { show: (value) => valueLabels(value as Value) },
    level: { show: labelIn(levelLabels) },
    duration: {
      show: (value) =>
        value === "periods"
          ? severalPayments
          : durationLabels({
              duration: currentDuration(value) as Promotion["duration"],
              periods: null,
            }),
    },
    startsAt: { show: moment },
    endsAt: { show: moment },
    maxUses: { show: counted },
    maxUsesPerUser: { show: counted },
    audience: { show: labelIn(audienceLabels) },
    intervals: {
      show: (value) => (Array.isArray(value) ? series(value.map(labelIn(intervalLabels))) : ""),
    },
    stacking: { show: labelIn(stackingLabels) },
    needsCode: { show: yesOrNo },
    returnsUse: { show: yesOrNo },
    publishedAt: { show: moment },
    pausedAt: { show: moment },
    archivedAt: { show: moment },
  });

const amountsLabels = (currency: string) => (value: unknown) =>
  series(
    Object.entries(amountTexts).flatMap(([part, textOf]) => {
      const amount = (value as Record<string, unknown> | null)?.[part];
      return typeof amount === "number" ? [textOf(money(amount, currency))] : [];
    }),
  );

/** Each currency, package and customer is a field, named by its code or id. */
const partLabels = (promotion: Promotion, { entity, changes }: Entry): ColumnLabels =>
  Object.fromEntries(
    changes.map(({ field }) => {
      const end = field.slice(-4);
      if (entity === "promotion_amounts" && currencies.includes(field))
        return [field, { label: field, show: amountsLabels(field) }];
      if (entity === "promotion_codes")
        return [field, { label: field === "made" ? t`Codes generated` : t`Code`, show: String }];
      if (entity === "promotion_packages") {
        const known = promotion.packages.find(({ id }) => id === field)?.name;
        return [field, { label: known ?? t`Package …${end}`, show: () => t`Included` }];
      }
      return [field, { label: t`Customer …${end}`, show: () => t`Selected` }];
    }),
  );

const parts: Record<string, string | undefined> = {
  promotion_amounts: t`Amounts changed`,
  promotion_packages: t`Packages changed`,
  promotion_people: t`Customers changed`,
  promotion_codes: t`Codes changed`,
};

const moments = [
  ["archivedAt", t`Promotion archived`, t`Promotion restored`],
  ["publishedAt", t`Promotion published`, t`Promotion published`],
  ["pausedAt", t`Promotion paused`, t`Promotion resumed`],
] as const;

const titles: Record<Entry["action"], string> = {
  insert: t`Promotion created`,
  update: t`Promotion changed`,
  delete: t`Promotion deleted`,
};

const titleOf = ({ entity, action, changes }: Entry) => {
  const part = parts[entity];
  if (part) return part;
  for (const [field, begun, ended] of moments) {
    const change = action === "update" && changes.find((one) => one.field === field);
    if (change) return change.after ? begun : ended;
  }
  return titles[action];
};

/** The history of a promotion, its amounts and its audience. */
export const PromotionActivity = ({ promotion }: { promotion: Promotion }) => {
  const { id } = promotion;
  const query = activityQueryOf("promotions", id, (page) =>
    call(getPromotionActivity, { params: { id }, query: page }),
  );
  const { data } = useInfiniteQuery(query);
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const words: ColumnLabels = Object.assign(
    {},
    ...entries.filter(({ entity }) => parts[entity]).map((entry) => partLabels(promotion, entry)),
    columnLabels(promotion),
  );
  return (
    <>
      <RecordComments entity="promotions" id={id} />
      <Activity query={query} titleOf={titleOf} words={words} place={{ preview: id }} />
    </>
  );
};
