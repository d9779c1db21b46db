import { formatAmount } from "@purser/contract/fields/money";
import { count, number } from "#lib/labels.ts";
import { Icon } from "#ui/Icon.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import type { Impact } from "../matrix/queries.ts";

type Props = { impact: Impact; isKept: boolean };

/** Customers who gain or lose something; none if everyone keeps their version. */
export const GainAndLoss = ({ impact, isKept }: Props) => {
  const [gain, lose] = isKept ? [0, 0] : [impact.gain, impact.lose];
  return (
    <div className="impact-figures">
      <p>
        <b>{number(gain)}</b>
        <span>
          <Icon name="plus" size={12} /> {gain === 1 ? "holder gains" : "holders gain"}
        </span>
      </p>
      <p data-lose={lose > 0 || undefined}>
        <b>{number(lose)}</b>
        <span>
          <Icon name="minus" size={12} /> {lose === 1 ? "holder loses" : "holders lose"} something
        </span>
      </p>
    </div>
  );
};

/** Renewals at another price, per currency. */
export const Renewals = ({ impact }: Pick<Props, "impact">) => {
  const changed = impact.renewals.filter((one) => one.changed > 0 || one.withoutPrice > 0);
  if (changed.length === 0) return null;
  return (
    <ul className="impact-renewals">
      {changed.map((one) => (
        <li key={one.currency}>
          {one.changed > 0 && (
            <>
              {count(one.changed, "renewal")} from {formatAmount(one.before, one.currency)} to{" "}
              <b>{formatAmount(one.after, one.currency)}</b> {one.currency}
            </>
          )}
          {one.withoutPrice > 0 && (
            <span className="softer">
              {count(one.withoutPrice, "subscription")} in {one.currency} keep their price: the
              draft has no such interval.
            </span>
          )}
        </li>
      ))}
    </ul>
  );
};

/** Customers whose usage is above the new limit. */
export const AboveLimit = ({ impact }: Pick<Props, "impact">) => {
  const above = impact.effects.filter((effect) => effect.above > 0);
  if (above.length === 0) return null;
  return (
    <Callout tone="warn" icon="alert-triangle">
      {above.map((effect) => (
        <p key={effect.feature.id}>
          {count(effect.above, "holder")} already {effect.above === 1 ? "uses" : "use"} more of{" "}
          {effect.feature.name} than {effect.after ?? "the default"}.
        </p>
      ))}
    </Callout>
  );
};

/** Why the draft can't be published. */
export const Obstacles = ({ impact }: Pick<Props, "impact">) =>
  impact.obstacles.length > 0 && (
    <Callout tone="info" icon="info-circle">
      {impact.obstacles.map((obstacle) => (
        <p key={obstacle}>{obstacle}</p>
      ))}
    </Callout>
  );
