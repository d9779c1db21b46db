import { formatMoney } from "@purser/contract/fields/money";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { discountLabel } from "#lib/money/discounts.ts";
import { periodLabel } from "#lib/money/prices.ts";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { countryOf, languageOf, roleLabels } from "../labels.ts";
import { type Subscription, subscriptionsQuery, type User } from "../queries.ts";

/** The next event of a subscription, with its date. */
const Next = ({ of }: { of: Subscription }) => {
  const { status, price, periodEnd, accessUntil, next } = of;
  const amount = formatMoney(price.amount, price.currency);
  const becomes = next && `, then ${next.package} version ${next.number}`;
  if (status === "paused") return <>Paused, with what was paid for kept</>;
  if (status === "ending")
    return (
      <>
        Ends <Day at={periodEnd} />
      </>
    );
  if (status === "past due")
    return (
      <>
        {amount} is past due, access until <Day at={accessUntil} />
      </>
    );
  return (
    <>
      {status === "trialing" ? "Trial, first payment " : "Renews "}
      <Day at={periodEnd} /> at {amount}
      {becomes}
    </>
  );
};

export const CurrentPackages = ({ id }: { id: string }) => {
  const { data, error, refetch } = useQuery(subscriptionsQuery(id));
  const running = data?.filter(({ status }) => status !== "ended");
  if (error && !data)
    return <Failed what="The subscriptions" error={error} onRetry={() => refetch()} />;
  return (
    <Section title="Holds">
      {running?.length === 0 && <p className="soft">No subscription runs.</p>}
      <ul className="holds">
        {running?.map((one) => (
          <li key={one.id}>
            <p>
              <Link to={packageLink(one.package)} className="quiet-name">
                {one.package.name}
              </Link>{" "}
              <span className="soft">
                {periodLabel(one.price).toLowerCase()}, version {one.package.number}
              </span>
            </p>
            <small>
              <Next of={one} />
            </small>
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
    ? "nothing"
    : of.map(({ currency, amount }) => (
        <div key={currency}>
          <Money amount={amount} currency={currency} />
        </div>
      ));

export const Account = ({ user }: { user: User }) => {
  const { spent, locale, country, timeZone, externalId, role, id } = user;
  const refunded = spent.filter((one) => one.refunded > 0);
  return (
    <Section title="Account">
      <Facts
        of={[
          ...(role ? [["Role", roleLabels[role].label] as [string, string]] : []),
          ["Paid so far", sums(spent.map(({ currency, total }) => ({ currency, amount: total })))],
          [
            "Refunded",
            sums(refunded.map((one) => ({ currency: one.currency, amount: one.refunded }))),
          ],
          ["Language", locale ? languageOf(locale) : "not known"],
          ["Country", country ? countryOf(country) : "not known"],
          ["Time zone", timeZone?.replaceAll("_", " ") ?? "not known"],
          [
            "External id",
            externalId ? (
              <Reference key="external" value={externalId} what="the external id" />
            ) : (
              "none yet"
            ),
          ],
          ["Id", <Reference key="id" value={id} shown={`${id.slice(0, 13)}…`} what="the id" />],
        ]}
      />
    </Section>
  );
};
