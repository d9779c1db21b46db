import { plural, t } from "@lingui/core/macro";
import { rankOf } from "@purser/contract/fields/values";
import { featureValue } from "#lib/labels/featureValues.ts";
import { Icon } from "#ui/Icon.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { Impact } from "../matrix/queries.ts";
import { countText } from "./ImpactFigures.tsx";
import { WideTable } from "./WideTable.tsx";

type Effect = Impact["effects"][number];

const valueText = ({ feature }: Effect, value: Effect["before"]) =>
  value === null ? t`Default` : featureValue(feature, value);

/** Compares values where both are set, and else the customers. */
const isLower = ({ feature, before, after, gain, lose }: Effect) =>
  before !== null && after !== null && before !== after
    ? rankOf(feature, after) < rankOf(feature, before)
    : lose > gain;

const gainText = (text: string, count: number) =>
  plural(count, { one: `${text} gains`, other: `${text} gain` });
const loseText = (text: string, count: number) =>
  plural(count, { one: `${text} loses`, other: `${text} lose` });

const Affected = ({ effect, isAtMost }: { effect: Effect; isAtMost: boolean }) => {
  const { gain, above, isUseKnown } = effect;
  const lose = isUseKnown ? above : effect.lose;
  if (gain === 0 && effect.lose === 0) return <span className="softer">{t`No one`}</span>;
  return (
    <>
      {gain > 0 && <span>{gainText(countText({ count: gain, isAtMost }), gain)}</span>}
      {effect.lose > 0 && (
        <span data-lose={lose > 0 || undefined}>
          {loseText(countText({ count: lose, isAtMost }), lose)}
        </span>
      )}
    </>
  );
};

const NewValue = ({ effect }: { effect: Effect }) => {
  const value = valueText(effect, effect.after);
  const isLess = isLower(effect);
  // Same as the version on sale, so it changes something only for subscribers of older versions.
  if (effect.before === effect.after)
    return (
      <>
        {value}{" "}
        <span className="softer">
          {isLess ? t`less than in older versions` : t`more than in older versions`}
        </span>
      </>
    );
  return (
    <span className="review-value" data-tone={isLess ? "bad" : "ok"}>
      <Icon name={isLess ? "arrow-down" : "arrow-up"} size={12} />
      <span className="unseen">{isLess ? t`less` : t`more`}</span>
      {value}
    </span>
  );
};

type Props = { impact: Impact; replaced: number | null; version: number };

/** The values that change, and how many subscribers would notice. */
export const ValueChanges = ({ impact, replaced, version }: Props) => {
  const { effects, isAtMost } = impact;
  const changed = effects.length;
  if (changed === 0)
    return (
      <Section title={t`Values`}>
        <p className="soft">{t`No value changes for subscribers.`}</p>
      </Section>
    );
  return (
    <Section
      title={t`Values`}
      note={plural(changed, { one: "# feature changes", other: "# features change" })}
    >
      <WideTable label={t`Values`}>
        <thead>
          <tr>
            <th scope="col">{t`Feature`}</th>
            <th scope="col">{t`App`}</th>
            <th scope="col">
              {replaced === null ? t`Before` : t`Version ${{ number: replaced }}`}
            </th>
            <th scope="col">{t`Version ${{ number: version }}`}</th>
            <th scope="col" className="end">{t`Subscribers affected`}</th>
          </tr>
        </thead>
        <tbody>
          {effects.map((effect) => (
            <tr key={effect.feature.id}>
              <th scope="row" className="strong">
                {effect.feature.name}
              </th>
              <td className="soft">{effect.feature.app}</td>
              <td className="soft">
                {replaced === null ? t`Not included` : valueText(effect, effect.before)}
              </td>
              <td>
                <NewValue effect={effect} />
              </td>
              <td className="end review-affected">
                <Affected effect={effect} isAtMost={isAtMost} />
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </Section>
  );
};
