import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { type MovementList, movementLists } from "@purser/contract/reports/recurring";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { number, signedAmount } from "#lib/intl.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Choice } from "#ui/reports/PeriodControls.tsx";
import { showDay } from "#ui/reports/period.ts";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import { movementsQuery } from "./queries.ts";

const listLabels: Record<MovementList, string> = {
  all: t`All movements`,
  new: t`New`,
  expansion: t`Expansion`,
  reactivation: t`Reactivation`,
  contraction: t`Contraction`,
  churn: t`Churn`,
  gained: t`New and returning`,
  subscribers: t`New, returning and lost`,
  "trials paid": t`Trials that were paid`,
  "trials ended": t`Trials that ended`,
};

const kindLabels: Record<string, string> = {
  ...listLabels,
  "trial paid": t`Trial, paid`,
  "trial lost": t`Trial, not paid`,
};

const lists = Object.keys(movementLists) as MovementList[];

export const listIn = (given: string | undefined): MovementList =>
  lists.find((one) => one === given) ?? "subscribers";

type Query = Parameters<typeof movementsQuery>[0];
type Props = { query: Query; list: MovementList; onList: (list: MovementList) => void };

/** The customers behind a figure, the latest first. */
export const Customers = ({ query, list, onList }: Props) => {
  const asked = { ...query, list };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      queryKey: ["reports", "movements", "pages", asked],
      queryFn: ({ pageParam, ...context }) =>
        movementsQuery({ ...asked, ...(pageParam && { after: pageParam }) }).queryFn?.(
          context as never,
        ) as ReturnType<NonNullable<ReturnType<typeof movementsQuery>["queryFn"]>>,
      initialPageParam: "",
      getNextPageParam: ({ next }) => next,
    },
  );
  if (error && !data)
    return <Failed title={t`Couldn't load customers`} error={error} onRetry={() => refetch()} />;
  const [page] = data?.pages ?? [];
  const items = data?.pages.flatMap((one) => one.items) ?? [];
  return (
    <section className="report-customers">
      <div className="report-controls">
        <Choice
          label={t`Customers`}
          value={list}
          options={lists.map((value) => ({ value, label: listLabels[value] }))}
          onChange={onList}
        />
        {page && <span className="soft">{t`${number(page.count)} in this period`}</span>}
      </div>
      <TableScroll label={t`Customers`}>
        <table className="plain-table report-table two-line">
          <thead>
            <tr>
              <th>{t`Customer`}</th>
              <th>{t`Day`}</th>
              <th>{t`Change`}</th>
              <th data-align="end">{t`MRR, ${page?.currency ?? ""}`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ user, day, kind, amount }) => (
              <tr key={`${user.id} ${day} ${kind}`}>
                <th data-phone="start">
                  <Link to="/users/view/$id" params={{ id: user.id }}>
                    {user.name || user.email}
                  </Link>
                </th>
                <td data-phone="below">{showDay(day)}</td>
                <td data-phone="below-end">{kindLabels[kind] ?? kind}</td>
                <td data-phone="end" data-align="end">
                  {signedAmount(amount, page?.currency ?? "EUR")}
                </td>
              </tr>
            ))}
            {page && items.length === 0 && (
              <tr>
                <td colSpan={4}>{t`No customers in this period.`}</td>
              </tr>
            )}
          </tbody>
        </table>
      </TableScroll>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t`Load more`}
        </Button>
      )}
    </section>
  );
};
