import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { Wire } from "@purser/contract/http/endpoint";
import type { listTransactions } from "@purser/contract/transactions/endpoints";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { signedAmount } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { linkOf } from "#screens/transactions/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { totalLabels } from "#ui/list/Pager.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { newestQuery, type User } from "../queries.ts";

const shownText = (shown: number, total: string) => t`${shown} of ${total}`;

type Payment = Wire<typeof listTransactions>["reply"]["items"][number];

/** Whether it is part of what a customer has paid. */
const isPaid = (one: Payment) => !isBack(one) && ["succeeded", "disputed"].includes(one.state);

/** "5 paid, 1 failed". */
const countsText = (items: readonly Payment[]) => {
  const paid = items.filter(isPaid).length;
  const failed = items.filter(({ state }) => state === "failed").length;
  return [
    plural(paid, { one: "# paid", other: "# paid" }),
    ...(failed > 0 ? [plural(failed, { one: "# failed", other: "# failed" })] : []),
  ].join(", ");
};

const Row = ({ of: one }: { of: Payment }) => {
  const { number, occurredAt, kind, state, tax, total, currency } = one;
  const isMinus = isBack(one);
  return (
    <tr {...(!(isPaid(one) || isMinus) && { "data-over": true })}>
      <th scope="row">
        <Link to={linkOf(one)} className="mono">
          {number}
        </Link>
      </th>
      <td className="soft">
        <Day at={occurredAt} />
      </td>
      <td>{one.package?.name ?? "–"}</td>
      <td className="soft">{kindLabels[kind]}</td>
      <td>
        <Status status={stateLabels[state]} />
      </td>
      <td className="end soft">{signedAmount(isMinus ? -tax : tax, currency)}</td>
      <td className="end">
        <Money amount={total} currency={currency} isMinus={isMinus} />
      </td>
    </tr>
  );
};

/** What the customer paid in each currency. The tax is known if all payments are listed. */
const Paid = ({ user, items }: { user: User; items: readonly Payment[] | null }) => (
  <tfoot>
    {user.spent.map(({ currency, total }) => {
      const own = items?.filter((one) => isPaid(one) && one.currency === currency);
      const tax = own?.reduce((sum, one) => sum + one.tax, 0);
      return (
        <tr key={currency} className="paid-total">
          <th scope="row" colSpan={5}>
            {t`Paid`}
          </th>
          <td className="end">{tax !== undefined && signedAmount(tax, currency)}</td>
          <td className="end">
            <Money amount={total} currency={currency} />
          </td>
        </tr>
      );
    })}
  </tfoot>
);

const Table = ({ user, items, isAll }: { user: User; items: Payment[]; isAll: boolean }) => (
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
            {t`Tax`}
          </th>
          <th scope="col" className="end">
            {t`Amount`}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <Row key={one.id} of={one} />
        ))}
      </tbody>
      <Paid user={user} items={isAll ? items : null} />
    </table>
  </div>
);

/** A customer's newest transactions and what was paid, with a link to all of them. */
export const Transactions = ({ user }: { user: User }) => {
  const { id, email, status } = user;
  const mayRecord = useMay("transactions:write") && status === "active";
  const { data, error, refetch } = useQuery(newestQuery(id));
  if (error && !data)
    return <Failed title={t`Couldn't load payments`} error={error} onRetry={() => refetch()} />;
  const items = data?.items ?? [];
  const isMore = data?.next !== null && data?.total;
  const note = isMore ? shownText(items.length, totalLabels(isMore)) : countsText(items);
  return (
    <Section
      title={t`Payments`}
      note={items.length > 0 && note}
      actions={
        <>
          {items.length > 0 && (
            <Link to="/transaction" search={{ f: [`user:any:${id}`] }} className="section-link">
              {t`View all transactions`}
              <Icon name="arrow-right" size={14} />
            </Link>
          )}
          {mayRecord && (
            <Button
              component={Link}
              {...({ to: "/transaction/create", search: { email } } as object)}
              variant="default"
              size="xs"
              leftSection={<Icon name="plus" size={14} />}
            >
              {t`Record payment`}
            </Button>
          )}
        </>
      }
    >
      {data && items.length === 0 && <p className="soft">{t`No payments yet.`}</p>}
      {items.length > 0 && <Table user={user} items={items} isAll={data?.next === null} />}
    </Section>
  );
};
