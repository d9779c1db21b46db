import { plural, t } from "@lingui/core/macro";
import "./summary.css";
import { Trans } from "@lingui/react/macro";
import { countedMax } from "@purser/contract/users/summary";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { money, number } from "#lib/intl.ts";
import { frequencyLabel, quantityLabel } from "#lib/money/prices.ts";
import { useMay } from "#lib/session/session.ts";
import { balanceQuery } from "#screens/transactions/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { type Summary, subscriptionsQuery, summaryQuery, type User } from "../queries.ts";

/** A count that stops at a limit. */
export const countLabel = (count: number) =>
  count < countedMax ? number(count) : t`${number(countedMax)} or more`;

type CellProps = { label: string; value: ReactNode; note: ReactNode; isLoading?: boolean };

const Cell = ({ label, value, note, isLoading = false }: CellProps) => (
  <div className="strip-cell" aria-busy={isLoading}>
    <dt>{label}</dt>
    <dd>
      {isLoading ? <span className="skeleton" style={{ width: "60%" }} /> : <b>{value}</b>}
      {!isLoading && <small>{note}</small>}
    </dd>
  </div>
);

const Packages = ({ id }: { id: string }) => {
  const { data } = useQuery(subscriptionsQuery(id));
  const running = data?.filter(({ status }) => status !== "ended") ?? [];
  const [first, ...others] = running;
  const names = others.map(({ package: { name }, price }) => `${name}, ${frequencyLabel(price)}`);
  return (
    <Cell
      label={t`Packages`}
      isLoading={!data}
      value={first ? quantityLabel(first.package.name, first.quantity) : t`None`}
      note={
        first ? [frequencyLabel(first.price), ...names].join(" · ") : t`No active subscriptions`
      }
    />
  );
};

const PaymentNote = ({ of }: { of: NonNullable<Summary["nextPayment"]> }) => {
  const { at, fromBalance, due, currency } = of;
  const credited = money(fromBalance, currency);
  const day = <Day at={at} />;
  if (fromBalance > 0 && due === 0) return <Trans>{day}, paid from balance</Trans>;
  if (fromBalance > 0)
    return (
      <Trans>
        {day}, after {credited} from balance
      </Trans>
    );
  return day;
};

const NextPayment = ({ summary }: { summary: Summary | undefined }) => {
  const next = summary?.nextPayment;
  return (
    <Cell
      label={t`Next payment`}
      isLoading={!summary}
      value={next ? <Money amount={next.due} currency={next.currency} /> : t`None`}
      note={next ? <PaymentNote of={next} /> : t`Nothing renews`}
    />
  );
};

const Paid = ({ user: { spent }, summary }: { user: User; summary: Summary | undefined }) => {
  const [first, ...others] = spent;
  const refunded = spent.filter((one) => one.refunded > 0);
  const payments = summary?.payments ?? 0;
  const counted =
    payments < countedMax
      ? plural(payments, { one: "# payment", other: "# payments" })
      : t`${number(countedMax)} or more payments`;
  const returned = refunded.map((one) => money(one.refunded, one.currency)).join(", ");
  return (
    <Cell
      label={t`Paid`}
      isLoading={!summary}
      value={first ? <Money amount={first.total} currency={first.currency} /> : t`Nothing`}
      note={[
        ...others.map(({ total, currency }) => money(total, currency)),
        counted,
        refunded.length > 0 ? t`${returned} refunded` : t`none refunded`,
      ].join(" · ")}
    />
  );
};

const Balances = ({ id }: { id: string }) => {
  const { data } = useQuery(balanceQuery(id));
  const [first, ...others] = data?.items ?? [];
  const newest = data?.entries[0]?.createdAt;
  return (
    <Cell
      label={t`Balance`}
      isLoading={!data}
      value={first ? <Money amount={first.amount} currency={first.currency} /> : t`None`}
      note={
        others.length > 0
          ? others.map(({ amount, currency }) => money(amount, currency)).join(" · ")
          : newest && (
              <Trans>
                Last changed <Day at={newest} />
              </Trans>
            )
      }
    />
  );
};

const problemsNote = (count: number, reached: string | undefined) => {
  if (reached !== undefined) return t`${reached} limit reached`;
  return count > 0 ? t`See on this page` : t`Nothing needs attention`;
};

const Problems = ({ summary }: { summary: Summary | undefined }) => {
  const limits = summary?.limits ?? [];
  const count = (summary?.problems.length ?? 0) + limits.length;
  const reached = count === 1 ? limits[0]?.feature.name : undefined;
  return (
    <Cell
      label={t`Open problems`}
      isLoading={!summary}
      value={
        count > 0 ? (
          <span className="strip-warning">
            <Icon name="alert-triangle" /> {number(count)}
          </span>
        ) : (
          number(0)
        )
      }
      note={problemsNote(count, reached)}
    />
  );
};

/** What support looks at first. */
export const SummaryStrip = ({ user }: { user: User }) => {
  const { data } = useQuery(summaryQuery(user.id));
  const mayReadPayments = useMay("transactions:read");
  return (
    <dl className="summary-strip">
      <Packages id={user.id} />
      <NextPayment summary={data} />
      {mayReadPayments && <Paid user={user} summary={data} />}
      {mayReadPayments && <Balances id={user.id} />}
      <Problems summary={data} />
    </dl>
  );
};
