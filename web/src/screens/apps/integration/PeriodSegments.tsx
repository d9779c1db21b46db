import { t } from "@lingui/core/macro";
import type { IntegrationPeriod } from "@purser/contract/integration/endpoints";
import { Segments } from "#ui/form/inputs/Segments.tsx";

const options: { value: IntegrationPeriod; label: string }[] = [
  { value: "hour", label: t`Last hour` },
  { value: "day", label: t`24 hours` },
  { value: "month", label: t`30 days` },
];

type Props = { value: IntegrationPeriod; onChange: (period: IntegrationPeriod) => void };

export const PeriodSegments = (props: Props) => (
  <Segments legend={t`Period`} name="period" options={options} {...props} />
);
