import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { ShareRule } from "@purser/contract/reports/endpoints";
import { listShareRows } from "@purser/contract/reports/rows";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { signedAmount } from "#lib/intl.ts";
import { rowsOf } from "#ui/reports/links.ts";
import { showDay } from "#ui/reports/period.ts";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import { appName, packageName } from "./AppShares.tsx";
import type { ShareRows } from "./queries.ts";

type Query = {
  rule: ShareRule;
  app: string;
  package?: string;
  from?: string;
  until?: string;
  currency?: string;
};

const usePages = (first: ShareRows, query: Query) =>
  useInfiniteQuery({
    queryKey: ["reports", "share-rows", "pages", query],
    queryFn: ({ pageParam, signal }) =>
      call(listShareRows, {
        query: { ...query, ...(pageParam && { before: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    initialData: { pages: [first], pageParams: [""] },
    staleTime: 60_000,
  });

type Item = ShareRows["items"][number];

const versionName = ({ version, ...one }: Item["package"]) =>
  version === null ? packageName(one) : t`${packageName(one)}, version ${version}`;

/** The days that an app's share adds up, the latest first. The revenue of a day opens its payments. */
export const ShareRowsTable = ({ first, query }: { first: ShareRows; query: Query }) => {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(first, query);
  const { currency, total, appName: name } = first;
  const items = data.pages.flatMap((page) => page.items);
  const shown = (minor: number) => signedAmount(minor, currency);
  return (
    <section className="report-customers">
      <h2>{appName({ name })}</h2>
      <TableScroll label={t`App share`}>
        <table className="plain-table report-table">
          <thead>
            <tr>
              <th>{t`Day`}</th>
              <th>{t`Package`}</th>
              <th data-align="end">{t`Net revenue, ${currency}`}</th>
              <th data-align="end">{t`Share, ${currency}`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ day, package: sold, revenue, share }) => (
              <tr key={`${day} ${sold.key} ${sold.version}`}>
                <th>{showDay(day)}</th>
                <td>{versionName(sold)}</td>
                <td data-align="end">
                  <Link {...rowsOf({ from: day, until: day, currency }, "package", sold.key)}>
                    {shown(revenue)}
                  </Link>
                </td>
                <td data-align="end">{shown(share)}</td>
              </tr>
            ))}
            {items.length === 0 && (
              <tr>
                <td colSpan={4}>{t`No payments in this period.`}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <th colSpan={3}>{t`Total`}</th>
              <td data-align="end">{shown(total)}</td>
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
