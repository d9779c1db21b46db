import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { RowGroup } from "@purser/contract/reports/rows";
import { listRevenueRows } from "@purser/contract/reports/rows";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { signedAmount } from "#lib/intl.ts";
import { Moment } from "#ui/Moment.tsx";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import type { RevenueRows } from "./queries.ts";
import { nameOfGroup } from "./Revenue.tsx";

const kindLabels: Record<RevenueRows["items"][number]["kind"], string> = {
  sale: t`Payment`,
  credit: t`Credit`,
  refund: t`Refund`,
  chargeback: t`Dispute`,
};

type Query = { group: RowGroup; key: string; from?: string; until?: string; currency?: string };

const usePages = (first: RevenueRows, query: Query) =>
  useInfiniteQuery({
    queryKey: ["reports", "rows", "pages", query],
    queryFn: ({ pageParam, signal }) =>
      call(listRevenueRows, {
        query: { ...query, ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    initialData: { pages: [first], pageParams: [""] },
    staleTime: 60_000,
  });

/** The rows that a number of the revenue report adds up, the latest first. */
export const RevenueRowsTable = ({ first, query }: { first: RevenueRows; query: Query }) => {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(first, query);
  const { currency, total, name } = first;
  const items = data.pages.flatMap((page) => page.items);
  const shown = (minor: number) => signedAmount(minor, currency);
  const isOfPromotion = query.group === "promotion";
  return (
    <section className="report-customers">
      <h2>{nameOfGroup({ key: query.key, name }, query.group)}</h2>
      <TableScroll label={t`Payments`}>
        <table className="plain-table report-table two-line">
          <thead>
            <tr>
              <th>{t`Transaction`}</th>
              <th>{t`Customer`}</th>
              <th>{t`Type`}</th>
              <th>{t`Time`}</th>
              {isOfPromotion && <th data-align="end">{t`Discount`}</th>}
              <th data-align="end">{t`Charged`}</th>
              <th data-align="end">{t`Tax`}</th>
              <th data-align="end">{t`Refunds and disputes`}</th>
              <th data-align="end">{t`Net revenue, ${currency}`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(
              ({ id, transaction, user, kind, at, charged, discount, tax, returned, net }) => (
                <tr key={id}>
                  <th data-phone="start">
                    <Link to="/transaction/view/$id" params={{ id: transaction.id }}>
                      {transaction.number}
                    </Link>
                  </th>
                  <td data-phone="below">
                    <Link to="/users/view/$id" params={{ id: user.id }}>
                      {user.name || user.email}
                    </Link>
                  </td>
                  <td data-phone="below-end">{kindLabels[kind]}</td>
                  <td>
                    <Moment at={at} />
                  </td>
                  {isOfPromotion && <td data-align="end">{shown(discount)}</td>}
                  <td data-align="end">{shown(charged)}</td>
                  <td data-align="end">{shown(-tax)}</td>
                  <td data-align="end">{shown(-returned)}</td>
                  <td data-phone="end" data-align="end">
                    {shown(net)}
                  </td>
                </tr>
              ),
            )}
            {items.length === 0 && !hasNextPage && (
              <tr>
                <td
                  data-phone="start"
                  colSpan={isOfPromotion ? 9 : 8}
                >{t`No payments in this period.`}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <th data-phone="start" colSpan={4}>
                {t`Total`}
              </th>
              {isOfPromotion && <td data-align="end">{shown(total.discount)}</td>}
              <td data-align="end">{shown(total.charged)}</td>
              <td data-align="end">{shown(-total.tax)}</td>
              <td data-align="end">{shown(-total.refunds - total.disputes)}</td>
              <td data-phone="end" data-align="end">
                {shown(total.net)}
              </td>
            </tr>
          </tfoot>
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
