import { plural, t } from "@lingui/core/macro";
import "./summary.css";
import { Trans } from "@lingui/react/macro";
import { countedMax } from "@purser/contract/users/summary";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { money, number } from "#lib/intl.ts";
import { frequencyLabel, quantityLabel } from "#lib/money/prices.ts";
import { useMay } from "#lib/session/session.ts";
import { balanceQuery } from "#screens/transactions/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import {
  runningOf,
  type Subscription,
  type Summary,
  subscriptionsQuery,
  summaryQuery,
  type User,
} from "../queries.ts";

/** The section of open problems, which is far below on a phone. */
export const problemsId = "problems";

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

const boughtText = ({ package: { name }, quantity, price }: Subscription) => {
  const [bought, period] = [quantityLabel(name, quantity), frequencyLabel(price)];
  return t`${bought} ${period}`;
};

const Packages = ({ user }: { user: User }) => {
  const { data } = useQuery(subscriptionsQuery(user.id));
  const [first, ...others] = data ? runningOf(user, data) : [];
  return (
    <Cell
      label={t`Packages`}
      isLoading={!data}
      value={first ? boughtText(first) : t`None`}
      note={first ? others.map(boughtText).join(" · ") : t`No active subscriptions`}
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

/** Why there is no next payment. */
const noPaymentText = (renewals: Summary["renewals"]) =>
  renewals.length > 0
    ? plural(renewals.length, { one: "# payment overdue", other: "# payments overdue" })
    : t`Nothing renews`;

const NextPayment = ({ summary }: { summary: Summary | undefined }) => {
  const next = summary?.nextPayment;
  return (
    <Cell
      label={t`Next payment`}
      isLoading={!summary}
      value={next ? <Money amount={next.due} currency={next.currency} /> : t`None`}
      note={next ? <PaymentNote of={next} /> : noPaymentText(summary?.renewals ?? [])}
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
  if (count === 0) return t`Nothing needs attention`;
  return (
    <Link from="/users/view/$id" to="." search={(now) => now} hash={problemsId}>
      {t`See on this page`}
    </Link>
  );
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
      <Packages user={user} />
      <NextPayment summary={data} />
      {mayReadPayments && <Paid user={user} summary={data} />}
      {mayReadPayments && <Balances id={user.id} />}
      <Problems summary={data} />
    </dl>
  );
};
