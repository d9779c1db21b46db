import { t } from "@lingui/core/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { discountLabel } from "#lib/money/discounts.ts";
import { priceLabel } from "#lib/money/prices.ts";
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
import { type Subscription, subscriptionQuery } from "../queries.ts";

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

const nextText = ({ package: name, number: version }: NonNullable<Subscription["next"]>) =>
  t`${name}, version ${version}`;

/** The subscription that a payment belongs to. */
export const SubscriptionPart = ({ id }: { id: string }) => {
  const mayWrite = useMay("users:write");
  const { data: stored } = useQuery(subscriptionQuery(id));
  const [chosen, setChosen] = useState<SubscriptionAction | null>(null);
  if (!stored) return null;
  const { status, price, next } = stored;
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
          [t`Price`, priceLabel(price)],
          ...stored.discounts.map(
            (discount) => [t`Discount`, discountLabel(discount, price)] as [string, string],
          ),
          [label, <Day key="end" at={at} />],
          ...(next ? [[t`Next package`, nextText(next)] as [string, string]] : []),
        ]}
      />
      <Suspense>
        {OpenDialog && <OpenDialog stored={stored} onClose={() => setChosen(null)} />}
      </Suspense>
    </Section>
  );
};
