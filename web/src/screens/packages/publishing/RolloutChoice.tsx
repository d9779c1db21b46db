import "#ui/styles/radioSheets.ts";
import { t } from "@lingui/core/macro";
import { Radio, Stack } from "@mantine/core";
import { runtime } from "#lib/page/runtime.ts";
import { localDateTime } from "#lib/time/dates.ts";
import { DateTimeField } from "#ui/dates/DateInput.tsx";
import type { Impact } from "../matrix/queries.ts";
import { modeLabels, modesInOrder, type Rollout } from "./rollout.ts";

type Props = {
  number: number;
  impact: Pick<Impact, "lastRenewal">;
  value: Rollout;
  onChange: (value: Rollout) => void;
  error?: string | null;
};

/** What happens to subscribers of older versions. */
export const RolloutChoice = ({ number, impact, value, onChange, error }: Props) => {
  const zone = runtime.companyTimeZone;
  const previous = number - 1;
  const choose = (given: string) => {
    const mode = modesInOrder.find((one) => one === given);
    if (mode) onChange({ ...value, mode });
  };
  return (
    <Radio.Group
      className="rollout-choice"
      label={number > 1 ? t`Subscribers of version ${previous} and older` : t`Subscribers`}
      value={value.mode}
      onChange={choose}
    >
      <Stack gap={8} mt={6}>
        {modesInOrder.map((mode) => {
          const { label, help } = modeLabels(mode, { number, impact, zone });
          return <Radio key={mode} value={mode} label={label} description={help} />;
        })}
      </Stack>
      {value.mode === "date" && (
        <DateTimeField
          zone={zone}
          label={t`Migrate on`}
          min={localDateTime(zone, new Date())}
          value={value.at}
          error={error}
          onChange={(at) => onChange({ ...value, at })}
        />
      )}
    </Radio.Group>
  );
};
