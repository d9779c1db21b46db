import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { amount as amountText, number } from "#lib/intl.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { messageText } from "#lib/serverMessages.ts";
import { Icon } from "#ui/Icon.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import type { Impact } from "../matrix/queries.ts";

type Props = { impact: Impact };

/** A number of customers, or how many there are at most. */
export const countText = ({ count, isAtMost }: { count: number; isAtMost: boolean }) => {
  const counted = number(count);
  return isAtMost && count > 0 ? t`at most ${counted}` : counted;
};

/** Customers who would gain or lose something if they are migrated. */
export const GainAndLoss = ({ impact: { gain, lose, isAtMost } }: Props) => (
  <div className="impact-figures">
    <p>
      <b>{countText({ count: gain, isAtMost })}</b>
      <span>
        <Icon name="plus" size={12} />{" "}
        {plural(gain, { one: "gains something", other: "gain something" })}
      </span>
    </p>
    <p data-lose={lose > 0 || undefined}>
      <b>{countText({ count: lose, isAtMost })}</b>
      <span>
        <Icon name="minus" size={12} />{" "}
        {plural(lose, { one: "loses something", other: "lose something" })}
      </span>
    </p>
  </div>
);

type Renewal = Impact["renewals"][number];

const ChangedRenewals = ({ of }: { of: Renewal }) => {
  const { changed, currency } = of;
  const before = amountText(of.before, currency);
  const after = amountText(of.after, currency);
  return (
    <Trans>
      <Plural value={changed} one="# renewal" other="# renewals" />: {before} → <b>{after}</b>{" "}
      {currency}
    </Trans>
  );
};

const keptPriceText = ({ withoutPrice, currency }: Renewal) =>
  plural(withoutPrice, {
    one: `# subscription in ${currency} keeps its price, because the draft has no price for its interval.`,
    other: `# subscriptions in ${currency} keep their price, because the draft has no price for their interval.`,
  });

/** Renewals at another price, per currency. */
export const Renewals = ({ impact }: Props) => {
  const changed = impact.renewals.filter((one) => one.changed > 0 || one.withoutPrice > 0);
  if (changed.length === 0) return null;
  return (
    <ul className="impact-renewals">
      {changed.map((one) => (
        <li key={one.currency}>
          {one.changed > 0 && <ChangedRenewals of={one} />}
          {one.withoutPrice > 0 && <span className="softer">{keptPriceText(one)}</span>}
        </li>
      ))}
    </ul>
  );
};

const aboveText = ({ above, feature, after: limit }: Impact["effects"][number]) => {
  const { name } = feature;
  const after = limit === null ? null : featureValue(feature, limit);
  return after === null
    ? plural(above, {
        one: `# subscriber already uses more of ${name} than the default.`,
        other: `# subscribers already use more of ${name} than the default.`,
      })
    : plural(above, {
        one: `# subscriber already uses more of ${name} than ${after}.`,
        other: `# subscribers already use more of ${name} than ${after}.`,
      });
};

/** Customers whose usage is above the new limit. */
export const AboveLimit = ({ impact }: Props) => {
  const above = impact.effects.filter((effect) => effect.above > 0);
  if (above.length === 0) return null;
  return (
    <Callout tone="warn" icon="alert-triangle">
      {above.map((effect) => (
        <p key={effect.feature.id}>{aboveText(effect)}</p>
      ))}
    </Callout>
  );
};

/** Why the draft can't be published. */
export const BlockingIssues = ({ impact }: Props) =>
  impact.blockingIssues.length > 0 && (
    <Callout tone="info" icon="info-circle">
      {impact.blockingIssues.map((issue) => (
        <p key={issue.text}>{messageText(issue)}</p>
      ))}
    </Callout>
  );
