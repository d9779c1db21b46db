import { t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import { type AnswerReason, answerReasons } from "@purser/contract/entitlements/explanation";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { reasonNames } from "#lib/labels/reasons.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { More } from "#ui/page/More.tsx";
import { Section } from "#ui/page/Page.tsx";
import { showDay, showDays } from "#ui/reports/period.ts";
import "#ui/styles/plainTable.css";
import type { App } from "../queries.ts";
import { PeriodSegments } from "./PeriodSegments.tsx";
import { appDenialsQuery, testableQuery } from "./queries.ts";
import { useShown } from "./useShown.ts";

/** The reason in the URL, if it is one. */
export const reasonIn = (given: string | undefined) =>
  answerReasons.find((reason) => reason === given);

type Filters = { app: App; reason: AnswerReason };

const DenialFilters = ({ app, reason }: Filters) => {
  const { shown, show } = useShown();
  const { data: features = [] } = useQuery(testableQuery(app.id));
  const { feature = "" } = shown;
  const others = features.some(({ code }) => code === feature) || !feature ? [] : [feature];
  return (
    <div className="check-controls">
      <PeriodSegments
        value={shown.period ?? "day"}
        onChange={(period) => show({ period: period === "day" ? "" : period })}
      />
      <NativeSelect
        aria-label={t`Reason`}
        size="xs"
        value={reason}
        data={answerReasons
          .filter((one) => one !== "unknown feature")
          .map((one) => ({ value: one, label: reasonNames[one] }))}
        onChange={({ currentTarget }) => show({ reason: currentTarget.value })}
      />
      <NativeSelect
        aria-label={t`Feature`}
        size="xs"
        value={feature}
        data={[
          { value: "", label: t`All features` },
          ...features.map(({ code, name }) => ({ value: code, label: name })),
          ...others,
        ]}
        onChange={({ currentTarget }) => show({ feature: currentTarget.value })}
      />
    </div>
  );
};

const Denials = ({ app, reason }: Filters) => {
  const { period, feature } = useShown().shown;
  const query = useInfiniteQuery(
    appDenialsQuery(app.id, { reason, ...(period && { period }), ...(feature && { feature }) }),
  );
  const { data, error, refetch } = query;
  if (error && !data)
    return <Failed title={t`Couldn't load denials`} error={error} onRetry={() => refetch()} />;
  const [first] = data?.pages ?? [];
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section
      title={reasonNames[reason]}
      note={first && showDays({ from: first.from, until: first.to })}
    >
      <p className="softer">{t`Only customers in Purser. Counted by day, for all API keys.`}</p>
      {first && items.length === 0 && <p>{t`No customers were denied for this reason.`}</p>}
      {items.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table denial-table">
            <thead>
              <tr>
                <th scope="col">{t`Customer`}</th>
                <th scope="col">{t`Feature`}</th>
                <th scope="col" data-align="end">{t`Denied`}</th>
                <th scope="col">{t`Day`}</th>
                <th scope="col">{t`Last denied`}</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ user, feature: of, day, count, lastAt }) => (
                <tr key={`${day} ${of.id} ${user.id}`}>
                  <th scope="row">
                    <Link to="/users/view/$id" params={{ id: user.id }}>
                      {user.name || user.email}
                    </Link>
                  </th>
                  <td>{of.name}</td>
                  <td data-align="end">{number(count)}</td>
                  <td className="soft">{showDay(day)}</td>
                  <td className="soft">
                    <Moment at={lastAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <More of={query}>{t`Load more`}</More>
    </Section>
  );
};

/** The customers who were denied access for one reason. */
export const DenialList = ({ app, reason }: Filters) => {
  const { period } = useShown().shown;
  const search = { tab: "integration", ...(period && { period }) };
  return (
    <div className="integration">
      <p className="check-back">
        <Link to="." search={search as never} className="sentence-link">
          <Icon name="arrow-left" size={14} /> {t`All checks`}
        </Link>
      </p>
      <DenialFilters app={app} reason={reason} />
      <div className="check-columns">
        <div>
          <Denials app={app} reason={reason} />
        </div>
      </div>
    </div>
  );
};
