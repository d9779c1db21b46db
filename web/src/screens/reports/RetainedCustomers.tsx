import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { listActiveSubscribers, listRetained } from "@purser/contract/reports/rows";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { signedAmount } from "#lib/intl.ts";
import { showMonth } from "#lib/time/reportDates.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { showDay } from "#ui/reports/period.ts";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import type { RetainedPage, SubscriberPage } from "./queries.ts";

type ListProps = {
  title: string;
  /** The monthly amount of all customers, if it is known. */
  sum?: string | undefined;
  currency: string;
  pages: ReturnType<typeof useInfiniteQuery<RetainedPage>>;
};

const SubscriberTable = ({ title, sum, currency, pages }: ListProps) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = pages;
  if (error && !data)
    return <Failed title={t`Couldn't load customers`} error={error} onRetry={() => refetch()} />;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const count = data?.pages[0]?.count ?? 0;
  return (
    <section className="report-body report-customers">
      <h2>{title}</h2>
      {data && (
        <p className="soft">
          {[plural(count, { one: "# customer", other: "# customers" }), sum]
            .filter(Boolean)
            .join(" · ")}
        </p>
      )}
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

const nextOf = ({ next }: { next: string | null }) => next;

type Cohort = { cohort: string; month: string; currency: string };

/** The customers behind a cell of the retention report. */
export const RetainedCustomers = ({ query }: { query: Cohort }) => {
  const { cohort, month, currency } = query;
  const pages = useInfiniteQuery({
    queryKey: ["reports", "retained", query],
    queryFn: ({ pageParam, signal }): Promise<RetainedPage> =>
      call(listRetained, { query: { ...query, ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: "",
    getNextPageParam: nextOf,
  });
  const [since, last] = [showMonth(cohort), showMonth(month)];
  const title = t`Customers since ${since}, still subscribed at the end of ${last}`;
  return <SubscriberTable title={title} currency={currency} pages={pages} />;
};

type Period = { from: string; until: string; currency?: string };

/** The customers behind MRR and active subscribers. */
export const Subscribers = ({ first, query }: { first: SubscriberPage; query: Period }) => {
  const { currency, until, mrr } = first;
  const pages = useInfiniteQuery({
    queryKey: ["reports", "subscribers", "pages", query],
    queryFn: ({ pageParam, signal }): Promise<RetainedPage> =>
      call(listActiveSubscribers, {
        query: { ...query, ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: nextOf,
    initialData: { pages: [first], pageParams: [""] },
    staleTime: 60_000,
  });
  const [day, sum] = [showDay(until), `${signedAmount(mrr, currency)} ${currency}`];
  return (
    <SubscriberTable
      title={t`Active subscribers on ${day}`}
      sum={t`MRR ${sum}`}
      currency={currency}
      pages={pages}
    />
  );
};
