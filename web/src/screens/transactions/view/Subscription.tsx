import { t } from "@lingui/core/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { money, number } from "#lib/intl.ts";
import { discountLabel } from "#lib/money/discounts.ts";
import { priceLabel, quantityLabel } from "#lib/money/prices.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { Status } from "#ui/Status.tsx";
import {
  actionsFor,
  type SubscriptionAction,
  subscriptionLabels,
} from "../actions/subscriptionActions.ts";
import { linkOf, type Subscription, subscriptionQuery } from "../queries.ts";

const loadDialogs = () => import("../actions/subscriptionDialogs.tsx");
const dialogs = {
  change: part(async () => (await import("../actions/ChangeDialog.tsx")).ChangeDialog),
  extend: part(async () => (await loadDialogs()).ExtendDialog),
  pause: part(async () => (await loadDialogs()).PauseDialog),
  resume: part(async () => (await loadDialogs()).ResumeDialog),
  keep: part(async () => (await loadDialogs()).KeepDialog),
  cancel: part(async () => (await loadDialogs()).CancelDialog),
};

type MenuProps = { stored: Subscription; onChoose: (action: SubscriptionAction) => void };

const Actions = ({ stored, onChoose }: MenuProps) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="menu"
      label={t`Subscription actions`}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-end"
      width={210}
      trigger={
        <ActionIcon
          aria-label={t`Subscription actions`}
          aria-haspopup="menu"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon name="dots" />
        </ActionIcon>
      }
    >
      {() =>
        actionsFor(stored).map(({ name, label, icon, isHard }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon name={icon} />}
            onClick={() => onChoose(name)}
            {...(isHard && { "data-tone": "bad" })}
          >
            {label}
          </Menu.Item>
        ))
      }
    </Popup>
  );
};

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
  const mayWrite = useMay("users:write");
  const { data: stored } = useQuery(subscriptionQuery(id));
  const [chosen, setChosen] = useState<SubscriptionAction | null>(null);
  if (!stored) return null;
  const { status, next } = stored;
  const [label, at] = endOf(stored);
  const OpenDialog = chosen && dialogs[chosen];
  return (
    <Section
      title={t`Subscription`}
      actions={
        mayWrite &&
        actionsFor(stored).length > 0 && <Actions stored={stored} onChoose={setChosen} />
      }
    >
      <Facts
        of={[
          [t`Status`, <Status key="status" status={subscriptionLabels[status]} />],
          ...billingFacts(stored),
          [label, <Day key="end" at={at} />],
          ...(next ? [[t`Next package`, nextText(next)] as Fact] : []),
          ...pendingFact(stored),
        ]}
      />
      <Suspense>
        {OpenDialog && <OpenDialog stored={stored} onClose={() => setChosen(null)} />}
      </Suspense>
    </Section>
  );
};
