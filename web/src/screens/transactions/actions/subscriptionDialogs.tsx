import { TextInput } from "@mantine/core";
import { formatMoney } from "@purser/contract/fields/money";
import {
  cancelSubscription,
  extendSubscription,
  keepSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@purser/contract/subscriptions/endpoints";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { intervalLabel } from "#lib/money/prices.ts";
import { dayMs, formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Choices, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { nameOf } from "../labels.ts";
import type { Subscription } from "../queries.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { subscriptionLabels } from "./subscriptionActions.ts";

type Props = { stored: Subscription; onClose: () => void };

const versioned = ({ id, version }: Subscription) => ({ params: { id }, version });

const factOf = ({ package: { name }, user }: Subscription) => `${name}, held by ${nameOf(user)}`;

const told = ({ package: { name }, status }: Subscription) =>
  `The subscription to ${name} is ${subscriptionLabels[status].word.toLowerCase()} now.`;

const useDate = () => {
  const zone = useTimeZone();
  return (at: string | number) => formatDate(zone, new Date(at));
};

export const CancelDialog = ({ stored, onClose }: Props) => {
  const date = useDate();
  const { name } = stored.package;
  const mayWait = stored.status === "trialing" || stored.status === "active";
  const later = {
    value: "period end",
    label: `On ${date(stored.periodEnd)}`,
    does: "Until then nothing changes. It does not renew.",
  };
  const now = {
    value: "now",
    label: "Now",
    does: `Access to ${name} ends at once. Nothing is paid back.`,
  };
  return (
    <ActionDialog
      onClose={onClose}
      told={told}
      title="End this subscription?"
      fact={factOf(stored)}
      sign={{ icon: "ban", tone: "bad" }}
      button="End subscription"
      isHard
      act={(read, keyFor) => {
        const when = read("when") === "now" ? ("now" as const) : ("period end" as const);
        const body = { when, reason: read("reason") };
        return call(cancelSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
    >
      {(errors) => (
        <>
          <Choices legend="When" name="when" of={mayWait ? [later, now] : [now]} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};

export const KeepDialog = ({ stored, onClose }: Props) => {
  const date = useDate();
  const { price, periodEnd, next } = stored;
  return (
    <ActionDialog
      onClose={onClose}
      told={told}
      title="Let this subscription go on as it is?"
      fact={factOf(stored)}
      sign={{ icon: "arrow-back-up", tone: "info" }}
      button="Let it go on"
      act={(read, keyFor) => {
        const body = read("reason").trim() ? { reason: read("reason") } : {};
        return call(keepSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
    >
      {(errors) => (
        <>
          <p className="soft">
            It renews on {date(periodEnd)} at {formatMoney(price.amount, price.currency)}{" "}
            {intervalLabel(price)}
            {next && `, and does not change to ${next.package}`}.
          </p>
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};

const usualDays = 7;

export const ExtendDialog = ({ stored, onClose }: Props) => {
  const date = useDate();
  const [days, setDays] = useState(usualDays);
  const { periodEnd } = stored;
  const moved = Date.parse(periodEnd) + days * dayMs;
  return (
    <ActionDialog
      onClose={onClose}
      title="Give more days?"
      fact={factOf(stored)}
      sign={{ icon: "calendar-repeat", tone: "info" }}
      button={days > 0 ? `Give ${count(days, "day")}` : "Give days"}
      act={(read, keyFor) => {
        const body = { days: Number(read("days")), reason: read("reason") };
        return call(extendSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
      told={(saved) => `Paid until ${date(saved.periodEnd)} now.`}
    >
      {(errors) => (
        <>
          <TextInput
            label="Days"
            name="days"
            type="number"
            min={1}
            max={366}
            className="number-input"
            value={days === 0 ? "" : days}
            onChange={({ currentTarget: { value } }) => setDays(Math.trunc(Number(value)) || 0)}
            error={errors["days"]}
            data-autofocus
          />
          <p className="soft" role="status">
            {stored.status === "ending" ? "It ends" : "The next payment is due"} on {date(moved)}{" "}
            instead of {date(periodEnd)}. The days cost nothing.
          </p>
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};

export const PauseDialog = ({ stored, onClose }: Props) => {
  const left = Math.max(0, Math.ceil((Date.parse(stored.periodEnd) - Date.now()) / dayMs));
  return (
    <ActionDialog
      onClose={onClose}
      told={told}
      title="Pause this subscription?"
      fact={factOf(stored)}
      sign={{ icon: "player-pause", tone: "warn" }}
      button="Pause subscription"
      act={(read, keyFor) => {
        const body = { reason: read("reason") };
        return call(pauseSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
    >
      {(errors) => (
        <>
          <p className="soft">
            Access to {stored.package.name} rests at once. {count(left, "day")} of the period{" "}
            {left === 1 ? "is" : "are"} left, and kept for when it goes on.
          </p>
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};

export const ResumeDialog = ({ stored, onClose }: Props) => (
  <ActionDialog
    onClose={onClose}
    told={told}
    title="Resume this subscription?"
    fact={factOf(stored)}
    sign={{ icon: "player-play", tone: "info" }}
    button="Resume subscription"
    act={(read, keyFor) => {
      const body = read("reason").trim() ? { reason: read("reason") } : {};
      return call(resumeSubscription, { ...versioned(stored), body, key: keyFor(body) });
    }}
  >
    {(errors) => (
      <>
        <p className="soft">
          Access to {stored.package.name} is back at once, for the time that was left.
        </p>
        <Reason errors={errors} isAutoFocus />
      </>
    )}
  </ActionDialog>
);
