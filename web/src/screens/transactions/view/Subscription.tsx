import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { money, number } from "#lib/intl.ts";
import { discountLabel } from "#lib/money/discounts.ts";
import { priceLabel, quantityLabel } from "#lib/money/prices.ts";
import { Day } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { subscriptionLabels } from "../actions/subscriptionActions.ts";
import { linkOf, type Subscription, subscriptionQuery } from "../queries.ts";
import { SubscriptionActions } from "../SubscriptionActions.tsx";

/** What happens at the end of the period. */
const endOf = ({ status, periodEnd, endedAt }: Subscription) => {
  if (endedAt) return [t`Ended`, endedAt] as const;
  if (status === "ending") return [t`Ends`, periodEnd] as const;
  return [status === "paused" ? t`Paid until` : t`Renews`, periodEnd] as const;
};

const nextText = ({
  package: name,
  number: version,
  quantity,
}: NonNullable<Subscription["next"]>) => {
  const bought = quantityLabel(name, quantity);
  return t`${bought}, version ${version}`;
};

type Fact = [label: string, value: ReactNode];

/** A change that waits for its payment. */
const pendingFact = ({ pendingChange, price }: Subscription): Fact[] => {
  if (!pendingChange) return [];
  const { package: name, due, transaction } = pendingChange;
  const amount = money(due, price.currency);
  return [
    [
      t`Pending change`,
      <span key="pending">
        {t`${name}, ${amount} due`}{" "}
        <Link to={linkOf(transaction)} className="sentence-link mono">
          {transaction.number}
        </Link>
      </span>,
    ],
  ];
};

const billingFacts = ({ price, quantity, billedBy, discounts }: Subscription): Fact[] => [
  [t`Price`, priceLabel(price)],
  ...(quantity > 1 ? [[t`Quantity`, number(quantity)] as Fact] : []),
  ...(billedBy ? [[t`Billed by`, billedBy] as Fact] : []),
  ...discounts.map((discount): Fact => [t`Discount`, discountLabel(discount, price)]),
];

/** The subscription that a payment belongs to. */
export const SubscriptionPart = ({ id }: { id: string }) => {
  const { data: stored } = useQuery(subscriptionQuery(id));
  if (!stored) return null;
  const { status, next } = stored;
  const [label, at] = endOf(stored);
  return (
    <Section title={t`Subscription`} actions={<SubscriptionActions stored={stored} />}>
      <Facts
        of={[
          [t`Status`, <Status key="status" status={subscriptionLabels[status]} />],
          ...billingFacts(stored),
          [label, <Day key="end" at={at} />],
          ...(next ? [[t`Next package`, nextText(next)] as Fact] : []),
          ...pendingFact(stored),
        ]}
      />
    </Section>
  );
};
