import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { linkOf } from "#screens/transactions/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { totalLabels } from "#ui/list/Pager.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { newestQuery } from "../queries.ts";

const shownText = (shown: number, total: string) => t`${shown} of ${total}`;

/** A user's newest transactions, with a link to all of them. */
export const Transactions = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(newestQuery(id));
  if (error && !data)
    return <Failed title={t`Couldn't load transactions`} error={error} onRetry={() => refetch()} />;
  const items = data?.items ?? [];
  const isMore = data?.next !== null && data?.total;
  return (
    <Section
      title={t`Transactions`}
      note={isMore ? shownText(items.length, totalLabels(isMore)) : undefined}
      actions={
        items.length > 0 && (
          <Link to="/transaction" search={{ f: [`user:any:${id}`] }} className="section-link">
            {t`View all transactions`}
            <Icon name="arrow-right" size={14} />
          </Link>
        )
      }
    >
      {data && items.length === 0 && <p className="soft">{t`No transactions yet.`}</p>}
      {items.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Reference`}</th>
                <th scope="col">{t`Created`}</th>
                <th scope="col">{t`Package`}</th>
                <th scope="col">{t`Type`}</th>
                <th scope="col">{t`Status`}</th>
                <th scope="col" className="end">
                  {t`Amount`}
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    <Link to={linkOf(one)} className="mono">
                      {one.number}
                    </Link>
                  </th>
                  <td className="soft">
                    <Day at={one.occurredAt} />
                  </td>
                  <td>{one.package?.name ?? "–"}</td>
                  <td className="soft">{kindLabels[one.kind]}</td>
                  <td>
                    <Status status={stateLabels[one.state]} />
                  </td>
                  <td className="end">
                    <Money amount={one.total} currency={one.currency} isMinus={isBack(one)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
};
