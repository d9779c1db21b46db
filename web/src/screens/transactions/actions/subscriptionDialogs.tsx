import { plural, t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import {
  cancelSubscription,
  extendSubscription,
  keepSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@purser/contract/subscriptions/endpoints";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { priceLabel } from "#lib/money/prices.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { dayMs, formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Choices, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { nameOf } from "../labels.ts";
import type { Subscription } from "../queries.ts";
import { ActionDialog } from "./ActionDialog.tsx";

type Props = { stored: Subscription; onClose: () => void };

const versioned = ({ id, version }: Subscription) => ({ params: { id }, version });

const useDate = () => {
  const zone = useTimeZone();
  return (at: string | number) => formatDate(zone, new Date(at));
};

export const CancelDialog = ({ stored, onClose }: Props) => {
  const date = useDate();
  const { name } = stored.package;
  const end = date(stored.periodEnd);
  const mayWait = stored.status === "trialing" || stored.status === "active";
  const later = {
    value: "period end",
    label: t`On ${end}`,
    does: t`Access continues until then. The subscription doesn't renew.`,
  };
  const now = {
    value: "now",
    label: t`Now`,
    does: t`Access to ${name} ends immediately. Nothing is refunded.`,
  };
  return (
    <ActionDialog
      onClose={onClose}
      told={({ status }: Subscription) =>
        status === "ended" ? t`Subscription ended` : t`Subscription ends on ${end}`
      }
      title={t`End subscription to ${name}?`}
      fact={nameOf(stored.user)}
      sign={{ icon: "ban", tone: "bad" }}
      button={t`End subscription`}
      isHard
      action={(read, keyFor) => {
        const when = read("when") === "now" ? ("now" as const) : ("period end" as const);
        const body = { when, reason: read("reason") };
        return call(cancelSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
    >
      {(errors) => (
        <>
          <Choices legend={t`When`} name="when" of={mayWait ? [later, now] : [now]} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};

const renewalText = ({ price, next }: Subscription, date: string) => {
  const label = priceLabel(price);
  if (!next) return t`Renews on ${date} at ${label}.`;
  const { package: other } = next;
  return t`Renews on ${date} at ${label}, without changing to ${other}.`;
};

export const KeepDialog = ({ stored, onClose }: Props) => {
  const date = useDate();
  const { name } = stored.package;
  return (
    <ActionDialog
      onClose={onClose}
      told={() => t`Subscription kept`}
      title={t`Keep subscription to ${name}?`}
      fact={nameOf(stored.user)}
      sign={{ icon: "arrow-back-up", tone: "info" }}
      button={t`Keep subscription`}
      action={(read, keyFor) => {
        const body = read("reason").trim() ? { reason: read("reason") } : {};
        return call(keepSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
    >
      {(errors) => (
        <>
          <p className="soft">{renewalText(stored, date(stored.periodEnd))}</p>
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};

const usualDays = 7;

const extendedText = (date: string) => t`Subscription extended to ${date}`;

export const ExtendDialog = ({ stored, onClose }: Props) => {
  const date = useDate();
  const [days, setDays] = useState(usualDays);
  const { name } = stored.package;
  const before = date(stored.periodEnd);
  const after = date(Date.parse(stored.periodEnd) + days * dayMs);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Extend subscription to ${name}?`}
      fact={nameOf(stored.user)}
      sign={{ icon: "calendar-repeat", tone: "info" }}
      button={days > 0 ? plural(days, { one: "Add # day", other: "Add # days" }) : t`Add days`}
      action={(read, keyFor) => {
        const body = { days: Number(read("days")), reason: read("reason") };
        return call(extendSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
      told={(saved) => extendedText(date(saved.periodEnd))}
    >
      {(errors) => (
        <>
          <TextInput
            label={t`Days`}
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
            {stored.status === "ending"
              ? t`Ends on ${after} instead of ${before}. The extra days are free.`
              : t`The next payment is due on ${after} instead of ${before}. The extra days are free.`}
          </p>
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};

export const PauseDialog = ({ stored, onClose }: Props) => {
  const left = Math.max(0, Math.ceil((Date.parse(stored.periodEnd) - +currentTime()) / dayMs));
  const { name } = stored.package;
  return (
    <ActionDialog
      onClose={onClose}
      told={() => t`Subscription paused`}
      title={t`Pause subscription to ${name}?`}
      fact={nameOf(stored.user)}
      sign={{ icon: "player-pause", tone: "warn" }}
      button={t`Pause subscription`}
      action={(read, keyFor) => {
        const body = { reason: read("reason") };
        return call(pauseSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
    >
      {(errors) => (
        <>
          <p className="soft">
            {t`Access to ${name} stops immediately.`}{" "}
            {plural(left, {
              one: "# remaining day is kept until the subscription resumes.",
              other: "# remaining days are kept until the subscription resumes.",
            })}
          </p>
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};

export const ResumeDialog = ({ stored, onClose }: Props) => {
  const { name } = stored.package;
  return (
    <ActionDialog
      onClose={onClose}
      told={() => t`Subscription resumed`}
      title={t`Resume subscription to ${name}?`}
      fact={nameOf(stored.user)}
      sign={{ icon: "player-play", tone: "info" }}
      button={t`Resume subscription`}
      action={(read, keyFor) => {
        const body = read("reason").trim() ? { reason: read("reason") } : {};
        return call(resumeSubscription, { ...versioned(stored), body, key: keyFor(body) });
      }}
    >
      {(errors) => (
        <>
          <p className="soft">{t`Access to ${name} resumes immediately for the remaining time.`}</p>
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};
