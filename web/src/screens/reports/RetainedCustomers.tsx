import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { listRetained } from "@purser/contract/reports/rows";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { signedAmount } from "#lib/intl.ts";
import { showMonth } from "#lib/time/reportDates.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { showDay } from "#ui/reports/period.ts";
import { TableScroll } from "#ui/reports/TableScroll.tsx";

type Query = { cohort: string; month: string; currency: string };

/** The customers behind a cell of the retention report. */
export const RetainedCustomers = ({ query }: { query: Query }) => {
  const { cohort, month, currency } = query;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      queryKey: ["reports", "retained", query],
      queryFn: ({ pageParam, signal }) =>
        call(listRetained, { query: { ...query, ...(pageParam && { after: pageParam }) }, signal }),
      initialPageParam: "",
      getNextPageParam: ({ next }) => next,
    },
  );
  if (error && !data)
    return <Failed title={t`Couldn't load customers`} error={error} onRetry={() => refetch()} />;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const count = data?.pages[0]?.count ?? 0;
  return (
    <section className="report-body report-customers">
      <h2>{t`Customers since ${showMonth(cohort)}, still subscribed at the end of ${showMonth(month)}`}</h2>
      {data && <p className="soft">{plural(count, { one: "# customer", other: "# customers" })}</p>}
      <TableScroll label={t`Customers`}>
        <table className="plain-table report-table">
          <thead>
            <tr>
              <th>{t`Customer`}</th>
              <th>{t`First payment`}</th>
              <th data-align="end">{t`MRR, ${currency}`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ user, day, amount }) => (
              <tr key={user.id}>
                <th>
                  <Link to="/users/view/$id" params={{ id: user.id }}>
                    {user.name || user.email}
                  </Link>
                </th>
                <td>{showDay(day)}</td>
                <td data-align="end">{signedAmount(amount, currency)}</td>
              </tr>
            ))}
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
