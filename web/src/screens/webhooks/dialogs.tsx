import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  replayGivenUp,
  rollWebhookSecret,
} from "@purser/contract/workspace/webhooks";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
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
    return <SecretDialog one="secret" fact={secretFact} secret={secret} onClose={onClose} />;
  const { id, version, previousUntil } = endpoint;
  return (
    <Confirm
      onClose={onClose}
      title={`Give ${nameOf(endpoint)} a new secret?`}
      fact="Events are signed with both until the old one ends, so that the receiver can change over."
      sign={{ icon: "key", tone: "warn" }}
      button="Make a new secret"
      act={async () => {
        const body = { keepHours };
        const made = await call(rollWebhookSecret, { params: { id }, version, body });
        setSecret(made.secret);
        void webhooksChanged();
      }}
      onDone={() => undefined}
    >
      <Consequences
        of={[
          { icon: "clock", what: "The secret of now ends in", amount: `${keepHours} hours` },
          {
            icon: "ban",
            what: "The one before it",
            amount: previousUntil ? "ends now" : "has ended",
          },
        ]}
      />
    </Confirm>
  );
};

export const DisableDialog = ({ endpoint, onClose }: Props) => {
  const { id, version, waiting } = endpoint;
  return (
    <Confirm
      onClose={onClose}
      title={`Disable ${nameOf(endpoint)}?`}
      fact="What happens while it is disabled is never sent to it."
      sign={{ icon: "player-pause", tone: "warn" }}
      button="Disable endpoint"
      act={async () => {
        await call(disableWebhookEndpoint, { params: { id }, version, body: {} });
        await webhooksChanged();
        toast(`${nameOf(endpoint)} is disabled.`);
      }}
    >
      <Consequences
        of={[
          { icon: "clock", what: "Waits until it is enabled", amount: totalOf(waiting, "event") },
        ]}
      />
    </Confirm>
  );
};

export const DeleteDialog = ({ endpoint, onClose }: Props) => {
  const { id, version, waiting, givenUp } = endpoint;
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={`Delete ${nameOf(endpoint)}?`}
      fact="This cannot be undone: its log goes with it, and what waits for it is never sent."
      sign={{ icon: "trash", tone: "bad" }}
      button="Delete endpoint"
      act={async () => {
        await call(deleteWebhookEndpoint, { params: { id }, version });
        await webhooksChanged();
        toast(`${nameOf(endpoint)} is deleted.`);
      }}
    >
      <Consequences
        of={[
          { icon: "clock", what: "Never sent", amount: totalOf(waiting, "event") },
          { icon: "circle-x", what: "Cannot be sent again", amount: totalOf(givenUp, "event") },
        ]}
      />
    </Confirm>
  );
};

const resendDays = 30;

export const ResendDialog = ({ endpoint, onClose }: Props) => {
  const { id, givenUp, lastFailure } = endpoint;
  const [since] = useState(() => new Date(Date.now() - resendDays * dayMs).toISOString());
  const amount = totalOf(givenUp, "event");
  return (
    <Confirm
      onClose={onClose}
      title={`Send ${amount} again to ${nameOf(endpoint)}?`}
      fact="With the same ids, in order for each person and before what comes later."
      sign={{ icon: "refresh", tone: "info" }}
      button={`Send ${amount} again`}
      act={async () => {
        const { sent } = await call(replayGivenUp, { params: { id }, body: { since } });
        await webhooksChanged();
        toast(`${count(sent, "event is", "events are")} on the way again.`);
      }}
    >
      <Consequences
        of={[
          { icon: "circle-x", what: `Given up in the last ${resendDays} days`, amount },
          {
            icon: "clock",
            what: "Last failure",
            amount: lastFailure ? <Moment at={lastFailure.at} /> : "none",
          },
        ]}
      />
    </Confirm>
  );
};
