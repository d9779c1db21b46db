import { t } from "@lingui/core/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { enableWebhookEndpoint, testWebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { series } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import type { EndpointAction } from "./EndpointActionDialog.tsx";
import { endpointStatus, nameOf, rateOf, totalOf, typeLabels } from "./labels.ts";
import { type Endpoint, webhooksChanged } from "./queries.ts";

const sendTest = (endpoint: Endpoint) =>
  attempt(async () => {
    await call(testWebhookEndpoint, { params: { id: endpoint.id }, body: {} });
    await webhooksChanged();
    const name = nameOf(endpoint);
    toast(t`Test event sent to ${name}`);
  });

const enable = (endpoint: Endpoint) =>
  attempt(async () => {
    const { id, version } = endpoint;
    await call(enableWebhookEndpoint, { params: { id }, version, body: {} });
    await webhooksChanged();
    const name = nameOf(endpoint);
    toast(t`${name} enabled. Sending resumed, oldest first`);
  });

type Props = { endpoint: Endpoint; onAsk: (action: EndpointAction) => void };

const Items = ({ endpoint, onAsk }: Props) => {
  const ask = (about: EndpointAction["about"]) => () => onAsk({ about, endpoint });
  const isActive = endpoint.status === "active";
  const { failed } = endpoint;
  return (
    <>
      {isActive && (
        <Menu.Item leftSection={<Icon name="bolt" />} onClick={() => sendTest(endpoint)}>
          {t`Send test event`}
        </Menu.Item>
      )}
      {isActive && failed.count > 0 && (
        <Menu.Item leftSection={<Icon name="refresh" />} onClick={ask("resend")}>
          {t`Resend failed events…`}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Icon name="pencil" />} onClick={ask("edit")}>
        {t`Edit…`}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="key" />} onClick={ask("roll")}>
        {t`Rotate secret…`}
      </Menu.Item>
      {isActive ? (
        <Menu.Item leftSection={<Icon name="player-pause" />} onClick={ask("disable")}>
          {t`Disable…`}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<Icon name="player-play" />} onClick={() => enable(endpoint)}>
          {t`Enable`}
        </Menu.Item>
      )}
      <Menu.Item data-tone="bad" leftSection={<Icon name="trash" />} onClick={ask("delete")}>
        {t`Delete…`}
      </Menu.Item>
    </>
  );
};

const Actions = ({ endpoint, onAsk }: Props) => {
  const [opened, setOpened] = useState(false);
  const name = nameOf(endpoint);
  const label = t`Actions for ${name}`;
  return (
    <Popup
      kind="menu"
      label={label}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-end"
      width={260}
      trigger={
        <ActionIcon
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon name="dots" />
        </ActionIcon>
      }
    >
      {() => <Items endpoint={endpoint} onAsk={onAsk} />}
    </Popup>
  );
};

const LastFailure = ({ endpoint: { lastFailure, disabledBecause } }: { endpoint: Endpoint }) => {
  if (disabledBecause) return disabledBecause;
  if (!lastFailure) return t`None`;
  return (
    <>
      {lastFailure.error} <Moment at={lastFailure.at} />
    </>
  );
};

const Row = ({ endpoint, onAsk }: Props) => {
  const mayWrite = useMay("webhooks:write");
  return (
    <tr>
      <th scope="row" className="webhooks-name">
        <span>{nameOf(endpoint)}</span>
        {endpoint.description && <small className="mono">{endpoint.url}</small>}
      </th>
      <td>
        <Status status={endpointStatus(endpoint)} />
      </td>
      <td className="soft">{series(endpoint.types.map((type) => typeLabels[type].label))}</td>
      <td className="soft">{rateOf(endpoint)}</td>
      <td className="soft">{totalOf(endpoint.waiting)}</td>
      <td className="soft">{totalOf(endpoint.failed)}</td>
      <td className="soft note">
        <LastFailure endpoint={endpoint} />
      </td>
      <td className="actions">{mayWrite && <Actions endpoint={endpoint} onAsk={onAsk} />}</td>
    </tr>
  );
};

type TableProps = { endpoints: Endpoint[]; onAsk: (action: EndpointAction) => void };

export const Endpoints = ({ endpoints, onAsk }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label={t`Endpoints`} tabIndex={0}>
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Endpoint`}</th>
          <th scope="col">{t`Status`}</th>
          <th scope="col">{t`Events`}</th>
          <th scope="col">{t`Delivered (last 24 hours)`}</th>
          <th scope="col">{t`Pending`}</th>
          <th scope="col">{t`Failed`}</th>
          <th scope="col">{t`Last failure`}</th>
          <th scope="col">
            <span className="unseen">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => (
          <Row key={endpoint.id} endpoint={endpoint} onAsk={onAsk} />
        ))}
      </tbody>
    </table>
  </section>
);
