import { ActionIcon, Menu } from "@mantine/core";
import { formatMoney } from "@purser/contract/fields/money";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { discountLabel } from "#lib/money/discounts.ts";
import { intervalLabel } from "#lib/money/prices.ts";
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

const dialogs = () => import("../actions/subscriptionDialogs.tsx");
const asking = {
  change: part(async () => (await import("../actions/ChangeDialog.tsx")).ChangeDialog),
  extend: part(async () => (await dialogs()).ExtendDialog),
  pause: part(async () => (await dialogs()).PauseDialog),
  resume: part(async () => (await dialogs()).ResumeDialog),
  keep: part(async () => (await dialogs()).KeepDialog),
  cancel: part(async () => (await dialogs()).CancelDialog),
};

type MenuProps = { stored: Subscription; onAsk: (act: SubscriptionAction) => void };

const Actions = ({ stored, onAsk }: MenuProps) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="menu"
      label="Subscription actions"
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-end"
      width={210}
      trigger={
        <ActionIcon
          aria-label="Subscription actions"
          aria-haspopup="menu"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon name="dots" />
        </ActionIcon>
      }
    >
      {() =>
        actionsFor(stored).map(({ asks, label, icon, isHard }) => (
          <Menu.Item
            key={asks}
            leftSection={<Icon name={icon} />}
            onClick={() => onAsk(asks)}
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
  if (endedAt) return ["Ended", endedAt] as const;
  if (status === "ending") return ["Ends", periodEnd] as const;
  return [status === "paused" ? "Paid until" : "Renews", periodEnd] as const;
};

/** The subscription that a payment belongs to. */
export const SubscriptionPart = ({ id }: { id: string }) => {
  const mayWrite = useMay("users:write");
  const { data: stored } = useQuery(subscriptionQuery(id));
  const [asked, setAsked] = useState<SubscriptionAction | null>(null);
  if (!stored) return null;
  const { status, price, next } = stored;
  const [label, at] = endOf(stored);
  const Asking = asked && asking[asked];
  return (
    <Section
      title="Subscription"
      acts={
        mayWrite && actionsFor(stored).length > 0 && <Actions stored={stored} onAsk={setAsked} />
      }
    >
      <Facts
        of={[
          ["Status", <Status key="status" status={subscriptionLabels[status]} />],
          ["Price", `${formatMoney(price.amount, price.currency)} ${intervalLabel(price)}`],
          ...stored.discounts.map(
            (discount) => ["Discount", discountLabel(discount, price)] as [string, string],
          ),
          [label, <Day key="end" at={at} />],
          ...(next
            ? [["Then", `${next.package}, version ${next.number}`] as [string, string]]
            : []),
        ]}
      />
      <Suspense>{Asking && <Asking stored={stored} onClose={() => setAsked(null)} />}</Suspense>
    </Section>
  );
};
