import { plural, t } from "@lingui/core/macro";
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  resendFailed,
  rotateWebhookSecret,
} from "@purser/contract/workspace/webhooks";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { SecretDialog } from "#ui/dialogs/SecretDialog.tsx";
import { Moment } from "#ui/Moment.tsx";
import { toast } from "#ui/popups/toast.ts";
import { nameOf, secretFact, totalOf } from "./labels.ts";
import { type Endpoint, webhooksChanged } from "./queries.ts";

type Props = { endpoint: Endpoint; onClose: () => void };

const keepHours = 24;

export const RollDialog = ({ endpoint, onClose }: Props) => {
  const [secret, setSecret] = useState<string | null>(null);
  if (secret)
    return (
      <SecretDialog
        title={t`Save your secret`}
        copyLabel={t`Copy secret`}
        fact={secretFact}
        secret={secret}
        onClose={onClose}
      />
    );
  const { id, version, previousUntil } = endpoint;
  const name = nameOf(endpoint);
  return (
    <Confirm
      onClose={onClose}
      title={t`Rotate the secret of ${name}?`}
      fact={t`Events are signed with both secrets until the current one expires.`}
      sign={{ icon: "key", tone: "warn" }}
      button={t`Rotate secret`}
      action={async () => {
        const body = { keepHours };
        const action = t`Rotate the secret of ${name}`;
        const made = await call(rotateWebhookSecret, { params: { id }, version, body, action });
        setSecret(made.secret);
        void webhooksChanged();
      }}
      onDone={() => undefined}
    >
      <Consequences
        of={[
          {
            icon: "clock",
            what: t`Current secret expires in`,
            amount: plural(keepHours, { one: "# hour", other: "# hours" }),
          },
          {
            icon: "ban",
            what: t`Previous secret`,
            amount: previousUntil ? t`Expires immediately` : t`Expired`,
          },
        ]}
      />
    </Confirm>
  );
};

export const DisableDialog = ({ endpoint, onClose }: Props) => {
  const { id, version, waiting } = endpoint;
  const name = nameOf(endpoint);
  return (
    <Confirm
      onClose={onClose}
      title={t`Disable ${name}?`}
      fact={t`Events that occur while it's disabled are never sent.`}
      sign={{ icon: "player-pause", tone: "warn" }}
      button={t`Disable endpoint`}
      action={async () => {
        await call(disableWebhookEndpoint, { params: { id }, version, body: {} });
        await webhooksChanged();
        toast(t`${name} disabled`);
      }}
    >
      <Consequences
        of={[
          { icon: "clock", what: t`Pending events sent when enabled`, amount: totalOf(waiting) },
        ]}
      />
    </Confirm>
  );
};

export const DeleteDialog = ({ endpoint, onClose }: Props) => {
  const { id, version, waiting, failed } = endpoint;
  const name = nameOf(endpoint);
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={t`Delete ${name}?`}
      fact={t`This can't be undone. Its deliveries are deleted too.`}
      sign={{ icon: "trash", tone: "bad" }}
      button={t`Delete endpoint`}
      action={async () => {
        await call(deleteWebhookEndpoint, { params: { id }, version, action: t`Delete ${name}` });
        await webhooksChanged();
        toast(t`${name} deleted`);
      }}
    >
      <Consequences
        of={[
          { icon: "clock", what: t`Pending events that are never sent`, amount: totalOf(waiting) },
          {
            icon: "circle-x",
            what: t`Failed events that can't be resent`,
            amount: totalOf(failed),
          },
        ]}
      />
    </Confirm>
  );
};

const resendDays = 30;

export const ResendDialog = ({ endpoint, onClose }: Props) => {
  const { id, failed, lastFailure } = endpoint;
  const name = nameOf(endpoint);
  const [since] = useState(() => new Date(+currentTime() - resendDays * dayMs).toISOString());
  return (
    <Confirm
      onClose={onClose}
      title={t`Resend failed events to ${name}?`}
      fact={t`Events keep their IDs and are sent in order, before newer events.`}
      sign={{ icon: "refresh", tone: "info" }}
      button={t`Resend events`}
      action={async () => {
        const { sent } = await call(resendFailed, { params: { id }, body: { since } });
        await webhooksChanged();
        toast(plural(sent, { one: "# event resent", other: "# events resent" }));
      }}
    >
      <Consequences
        of={[
          {
            icon: "circle-x",
            what: t`Failed in the last ${resendDays} days`,
            amount: totalOf(failed),
          },
          {
            icon: "clock",
            what: t`Last failure`,
            amount: lastFailure ? <Moment at={lastFailure.at} /> : t`None`,
          },
        ]}
      />
    </Confirm>
  );
};
