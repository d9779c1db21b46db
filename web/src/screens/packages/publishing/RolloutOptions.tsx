import "#ui/styles/radioSheets.ts";
import { plural, t } from "@lingui/core/macro";
import { Radio } from "@mantine/core";
import type { RolloutMode } from "@purser/contract/packages/publishing";
import { signedAmount } from "#lib/intl.ts";
import { runtime } from "#lib/page/runtime.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { DateTimeField } from "#ui/dates/DateInput.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { Impact } from "../matrix/queries.ts";
import { AboveLimit, countText, Renewals } from "./ImpactFigures.tsx";
import { effectOf, isLossByUse, modeLabels, modesInOrder, type Rollout } from "./rollout.ts";

const zone = runtime.companyTimeZone;

const Mrr = ({ impact, mode }: { impact: Impact; mode: RolloutMode }) => {
  const changed = impact.renewals.filter(({ mrr }) => mrr !== 0);
  const isNone = mode === "new buyers" || changed.length === 0;
  return (
    <span
      className="rollout-figure"
      data-tip={t`Subscribers × price difference, per month. Assumes that no one cancels.`}
    >
      {isNone ? (
        <b>0</b>
      ) : (
        changed.map(({ currency, mrr }) => (
          <b key={currency}>
            {mrr > 0 && "+"}
            {signedAmount(mrr, currency)} {currency}
          </b>
        ))
      )}
      <small>{t`MRR`}</small>
    </span>
  );
};

const Option = ({ mode, impact }: { mode: RolloutMode; impact: Impact }) => {
  const { label, help } = modeLabels(mode, { impact, zone });
  const { gain, lose } = effectOf(mode, impact);
  return (
    <div className="rollout-option">
      <Radio value={mode} label={label} description={help} />
      <span className="rollout-figure">
        <b>{countText(gain)}</b>
        <small>{plural(gain.count, { one: "gains", other: "gain" })}</small>
      </span>
      <span className="rollout-figure" data-lose={lose.count > 0 || undefined}>
        <b>{countText(lose)}</b>
        <small>{plural(lose.count, { one: "loses", other: "lose" })}</small>
      </span>
      <Mrr impact={impact} mode={mode} />
    </div>
  );
};

const subscribersText = (count: string, subscribers: number) =>
  plural(subscribers, {
    one: `${count} subscriber of other versions`,
    other: `${count} subscribers of other versions`,
  });

/** What "lose" counts. */
const LossNote = ({ impact }: { impact: Impact }) => {
  if (impact.lose === 0) return null;
  return (
    <p className="softer">
      {isLossByUse(impact)
        ? t`“Lose” counts only subscribers who use more than the new version includes.`
        : t`“Lose” counts all subscribers who would have less, because it isn't known who uses it.`}
    </p>
  );
};

type Props = {
  impact: Impact;
  value: Rollout;
  onChange: (value: Rollout) => void;
  error: string | null;
};

/** Which subscribers get the version and when, with who gains and who loses. */
export const RolloutOptions = ({ impact, value, onChange, error }: Props) => {
  const { subscribers, isAtMost } = impact;
  const count = countText({ count: subscribers, isAtMost });
  const choose = (given: string) => {
    const mode = modesInOrder.find((one) => one === given);
    if (mode) onChange({ ...value, mode });
  };
  return (
    <Section title={t`Rollout`} note={subscribersText(count, subscribers)}>
      <Radio.Group
        aria-label={t`Rollout`}
        className="rollout-options"
        value={value.mode}
        onChange={choose}
      >
        {modesInOrder.map((mode) => (
          <Option key={mode} mode={mode} impact={impact} />
        ))}
      </Radio.Group>
      {value.mode === "date" && (
        <DateTimeField
          zone={zone}
          label={t`Migrate on`}
          min={localDateTime(zone, currentTime())}
          value={value.at}
          error={error}
          onChange={(at) => onChange({ ...value, at })}
        />
      )}
      <LossNote impact={impact} />
      {value.mode !== "new buyers" && (
        <>
          <AboveLimit impact={impact} />
          <Renewals impact={impact} />
        </>
      )}
    </Section>
  );
};
