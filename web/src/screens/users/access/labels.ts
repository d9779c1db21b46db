import { t } from "@lingui/core/macro";
import { number } from "#lib/intl.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import type { Explained, HeldGrant, Line } from "./queries.ts";

/** "Studio version 5", or "Cloud storage: 50 GB". */
export const grantLabel = ({ package: pack, feature }: HeldGrant) => {
  if (pack) return t`${pack.name} version ${pack.number}`;
  return feature ? t`${feature.name}: ${featureValue(feature, feature.value)}` : "";
};

/** A value of a feature; null means that the customer has no access. */
export const valueLabel = (feature: Explained["feature"], value: Explained["value"]) =>
  value === null ? t`No access` : featureValue(feature, value);

const sourceLabels: Record<Line["source"], string> = {
  transaction: t`Purchase`,
  trial: t`Trial`,
  promotion: t`Promotion`,
  import: t`Import`,
  manual: t`Manual`,
};

const packageLabel = ({ name, number }: { name: string; number: number }) =>
  t`${name} version ${number}`;

/** The package of a grant, or the source of a single feature. */
export const titleOf = ({ package: pack, source }: Pick<Line, "package" | "source">) =>
  pack ? packageLabel(pack) : sourceLabels[source];

/** The source of a value, in a few words. */
export const fromOf = ({ lines, reason }: Pick<Explained, "lines" | "reason">) => {
  const counted = lines.filter(({ isApplied }) => isApplied);
  const [first] = counted;
  if (!first && reason === "app suspended") return t`App suspended`;
  if (!first) return reason === "default" ? t`Default` : t`Not included`;
  const named = titleOf(first);
  const more = counted.length - 1;
  return more > 0 ? t`${named} + ${more} more` : named;
};

/** The usage as a short sentence; null for features without usage. */
export const useOf = ({ limit, used }: Pick<Explained, "limit" | "used">) => {
  if (used === null || used === 0) return null;
  const amount = number(used);
  if (limit === null || limit === 0 || used < limit) return t`${amount} used`;
  const all = number(limit);
  return t`${amount} of ${all} used, limit reached`;
};

export const reasonLabels: Record<Explained["reason"], string> = {
  granted: t`Included`,
  default: t`Default for everyone`,
  unlimited: t`Unlimited`,
  "over soft limit": t`Over the limit, but allowed`,
  "unknown feature": t`The app has no such feature`,
  "feature archived": t`The feature is archived`,
  "app inactive": t`The app isn't active`,
  "app suspended": t`The app is suspended`,
  "customer suspended": t`The customer is suspended`,
  "customer erased": t`The customer was erased`,
  "not included": t`No package of this customer includes it`,
  "not started": t`Access hasn't started yet`,
  expired: t`Access has expired`,
  revoked: t`Access was revoked`,
  "payment overdue": t`The payment is overdue`,
  paused: t`The subscription is paused`,
  "limit reached": t`The limit is reached`,
  "amount exceeds remaining": t`Less than this amount remains`,
};
