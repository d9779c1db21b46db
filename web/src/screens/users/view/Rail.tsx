import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { money } from "#lib/intl.ts";
import { discountLabel } from "#lib/money/discounts.ts";
import { frequencyLabel, quantityLabel } from "#lib/money/prices.ts";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { SubscriptionActions } from "#screens/transactions/SubscriptionActions.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { billingLines, countryOf, languageOf, roleLabels } from "../labels.ts";
import {
  runningOf,
  type Subscription,
  type Summary,
  subscriptionsQuery,
  summaryQuery,
  type User,
} from "../queries.ts";

const nextText = ({ package: name, number }: NonNullable<Subscription["next"]>) =>
  t`then ${name} version ${number}`;

type NextProps = { of: Subscription; renewal: Summary["renewals"][number] | undefined };

/** The next event of a subscription with its date, and what it charges. */
const Next = ({ of, renewal }: NextProps) => {
  const { status, periodEnd, accessUntil, next } = of;
  const amount = renewal && money(renewal.total, renewal.currency);
  const end = <Day at={periodEnd} />;
  if (status === "paused") return <>{t`Paused. Paid time is kept.`}</>;
  if (status === "ending") return <Trans>Ends {end}</Trans>;
  // What it charges is calculated, and loads after the subscriptions.
  if (amount === undefined) return end;
  if (status === "past due")
    return (
      <Trans>
        {amount} past due, access until <Day at={accessUntil} />
      </Trans>
    );
  return (
    <>
      {status === "trialing" ? (
        <Trans>
          Trial, first payment of {amount} on {end}
        </Trans>
      ) : (
        <Trans>
          Renews {end} at {amount}
        </Trans>
      )}
      {next && ` · ${nextText(next)}`}
    </>
  );
};

const pendingText = (
  { package: { name }, due }: NonNullable<Subscription["pendingChange"]>,
  currency: string,
) => {
  const amount = money(due, currency);
  return t`Change to ${name} waits for a payment of ${amount}`;
};

const versionText = (period: string, number: number) => t`${period}, version ${number}`;

const actionsLabel = (name: string) => t`Actions of ${name}`;

export const CurrentPackages = ({ user }: { user: User }) => {
  const { data, error, refetch } = useQuery(subscriptionsQuery(user.id));
  const renewals = useQuery(summaryQuery(user.id)).data?.renewals;
  const running = data && runningOf(user, data);
  if (error && !data)
    return (
      <Failed title={t`Couldn't load subscriptions`} error={error} onRetry={() => refetch()} />
    );
  return (
    <Section title={t`Subscriptions`}>
      {running?.length === 0 && <p className="soft">{t`No active subscriptions.`}</p>}
      <ul className="holds">
        {running?.map((one) => (
          <li key={one.id}>
            <div className="held">
              <p>
                <Link to={packageLink(one.package)} className="quiet-name">
                  {quantityLabel(one.package.name, one.quantity)}
                </Link>{" "}
                <span className="soft">
                  {versionText(frequencyLabel(one.price), one.package.number)}
                </span>
              </p>
              <SubscriptionActions stored={one} label={actionsLabel(one.package.name)} />
            </div>
            <small>
              <Next
                of={one}
                renewal={renewals?.find(({ subscriptionId }) => subscriptionId === one.id)}
              />
            </small>
            {one.pendingChange && (
              <small>{pendingText(one.pendingChange, one.price.currency)}</small>
            )}
            {one.discounts.map((discount) => (
              <small key={discount.name}>{discountLabel(discount, one.price)}</small>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
};

const sums = (of: { currency: string; amount: number }[]) =>
  of.length === 0
    ? t`None`
    : of.map(({ currency, amount }) => (
        <div key={currency}>
          <Money amount={amount} currency={currency} />
        </div>
      ));

/** The buyer on invoices. */
export const BillingDetails = ({ user }: { user: User }) => {
  const lines = billingLines(user);
  return (
    <Section title={t`Billing details`}>
      <Facts
        of={[
          [t`Company`, user.company ?? t`None`],
          [
            t`Address`,
            lines.length === 0 ? t`None` : lines.map((line) => <div key={line}>{line}</div>),
          ],
          [
            t`VAT number`,
            user.vatNumber ? (
              <Reference key="vat" value={user.vatNumber} copyLabel={t`Copy VAT number`} />
            ) : (
              t`None`
            ),
          ],
        ]}
      />
    </Section>
  );
};

export const Account = ({ user }: { user: User }) => {
  const { spent, locale, country, timeZone, externalId, role, id } = user;
  const refunded = spent.filter((one) => one.refunded > 0);
  return (
    <Section title={t`Account`}>
      <Facts
        of={[
          ...(role ? [[t`Role`, roleLabels[role].label] as [string, string]] : []),
          [t`Total paid`, sums(spent.map(({ currency, total }) => ({ currency, amount: total })))],
          [
            t`Refunded`,
            sums(refunded.map((one) => ({ currency: one.currency, amount: one.refunded }))),
          ],
          [t`Language`, locale ? languageOf(locale) : t`Unknown`],
          [t`Country`, country ? countryOf(country) : t`Unknown`],
          [t`Time zone`, timeZone?.replaceAll("_", " ") ?? t`Unknown`],
          [
            t`External ID`,
            externalId ? (
              <Reference key="external" value={externalId} copyLabel={t`Copy external ID`} />
            ) : (
              t`None`
            ),
          ],
          [
            t`ID`,
            <Reference key="id" value={id} shown={`${id.slice(0, 13)}…`} copyLabel={t`Copy ID`} />,
          ],
        ]}
      />
    </Section>
  );
};
