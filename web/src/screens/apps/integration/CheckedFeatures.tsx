import { t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import {
  type CheckedFeatureSort,
  checkedFeatureSorts,
} from "@purser/contract/integration/endpoints";
import { useInfiniteQuery } from "@tanstack/react-query";
import { number } from "#lib/intl.ts";
import { reasonNames } from "#lib/labels/reasons.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { More } from "#ui/page/More.tsx";
import { Section } from "#ui/page/Page.tsx";
import "#ui/styles/plainTable.css";
import type { App } from "../queries.ts";
import { durationText, rateText } from "./CheckFigures.tsx";
import { featureName } from "./featureName.ts";
import { type CheckedFeature, checkedFeaturesQuery } from "./queries.ts";
import { ReasonLink } from "./ReasonLink.tsx";
import { useShown } from "./useShown.ts";

export const checkedFeaturesId = "checks-by-feature";

const sortLabels: Record<CheckedFeatureSort, string> = {
  denied: t`Most denied`,
  checks: t`Most checks`,
  latency: t`Slowest`,
};

const sortOf = (given: string | undefined) =>
  checkedFeatureSorts.find((sort) => sort === given) ?? "denied";

const Reasons = ({ of: { kind, code, reasons } }: { of: CheckedFeature }) => (
  <ul className="check-reasons">
    {reasons.map(({ reason, checks }) => (
      <li key={reason}>
        {kind === "feature" ? <ReasonLink reason={reason} feature={code} /> : reasonNames[reason]}{" "}
        <span className="soft">{number(checks)}</span>
      </li>
    ))}
  </ul>
);

const Row = ({ of }: { of: CheckedFeature }) => (
  <tr>
    <th scope="row">{featureName(of)}</th>
    <td data-align="end">{number(of.checks)}</td>
    <td data-align="end" className="soft">
      {rateText(of.perMinute)}
    </td>
    <td data-align="end">{number(of.denied)}</td>
    <td data-align="end" className="soft">
      {sharePercent(of.denied / of.checks)}
    </td>
    <td data-align="end" className="soft">
      {durationText(of.latency.p50)}
    </td>
    <td data-align="end" className="soft">
      {durationText(of.latency.p99)}
    </td>
    <td>
      <Reasons of={of} />
    </td>
  </tr>
);

const Table = ({ items }: { items: readonly CheckedFeature[] }) => (
  <div className="scroll-x">
    <table className="plain-table denial-table">
      <thead>
        <tr>
          <th scope="col">{t`Feature`}</th>
          <th scope="col" data-align="end">{t`Checks`}</th>
          <th scope="col" data-align="end">{t`Per minute`}</th>
          <th scope="col" data-align="end">{t`Denied`}</th>
          <th scope="col" data-align="end">{t`Share`}</th>
          <th scope="col" data-align="end">{t`p50, ms`}</th>
          <th scope="col" data-align="end">{t`p99, ms`}</th>
          <th scope="col">{t`Denied because`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <Row key={`${one.kind} ${one.code}`} of={one} />
        ))}
      </tbody>
    </table>
  </div>
);

/** Every feature that the app checked in the period. */
export const CheckedFeatures = ({ app }: { app: App }) => {
  const { shown, show } = useShown();
  const sort = sortOf(shown.sort);
  const query = useInfiniteQuery(checkedFeaturesQuery(app.id, shown, sort));
  const { data, error, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section
      id={checkedFeaturesId}
      title={t`Checks by feature`}
      actions={
        <NativeSelect
          aria-label={t`Sort by`}
          size="xs"
          value={sort}
          data={checkedFeatureSorts.map((value) => ({ value, label: sortLabels[value] }))}
          onChange={({ currentTarget }) =>
            show({ sort: currentTarget.value === "denied" ? "" : currentTarget.value })
          }
        />
      }
    >
      {error && !data && (
        <Failed title={t`Couldn't load features`} error={error} onRetry={() => refetch()} />
      )}
      {data && items.length === 0 && <p className="softer">{t`No checks in this period.`}</p>}
      {items.length > 0 && <Table items={items} />}
      <More of={query}>{t`Load more`}</More>
    </Section>
  );
};
