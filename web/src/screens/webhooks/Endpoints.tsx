import { ActionIcon, Menu } from "@mantine/core";
import { enableWebhookEndpoint, testWebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
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
    toast(`A test event is on its way to ${nameOf(endpoint)}.`);
  });

const enable = (endpoint: Endpoint) =>
  attempt(async () => {
    const { id, version } = endpoint;
    await call(enableWebhookEndpoint, { params: { id }, version, body: {} });
    await webhooksChanged();
    toast(`${nameOf(endpoint)} is told again, what waits for it first.`);
  });

type Props = { endpoint: Endpoint; onAsk: (action: EndpointAction) => void };

const Items = ({ endpoint, onAsk }: Props) => {
  const ask = (about: EndpointAction["about"]) => () => onAsk({ about, endpoint });
  const isActive = endpoint.status === "active";
  const { givenUp } = endpoint;
  return (
    <>
      {isActive && (
        <Menu.Item leftSection={<Icon name="bolt" />} onClick={() => sendTest(endpoint)}>
          Send test event
        </Menu.Item>
      )}
      {isActive && givenUp.count > 0 && (
        <Menu.Item leftSection={<Icon name="refresh" />} onClick={ask("resend")}>
          Send again {totalOf(givenUp, "event")} given up…
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Icon name="pencil" />} onClick={ask("edit")}>
        Edit…
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="key" />} onClick={ask("roll")}>
        New secret…
      </Menu.Item>
      {isActive ? (
        <Menu.Item leftSection={<Icon name="player-pause" />} onClick={ask("disable")}>
          Disable…
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<Icon name="player-play" />} onClick={() => enable(endpoint)}>
          Enable
        </Menu.Item>
      )}
      <Menu.Item data-tone="bad" leftSection={<Icon name="trash" />} onClick={ask("delete")}>
        Delete…
      </Menu.Item>
    </>
  );
};

const Actions = ({ endpoint, onAsk }: Props) => {
  const [opened, setOpened] = useState(false);
  const label = `Actions for ${nameOf(endpoint)}`;
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
  if (!lastFailure) return "none";
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
      <td className="soft">{endpoint.types.map((type) => typeLabels[type].label).join(", ")}</td>
      <td className="soft">{rateOf(endpoint)}</td>
      <td className="soft">{number(endpoint.waiting.count)}</td>
      <td className="soft">{number(endpoint.givenUp.count)}</td>
      <td className="soft note">
        <LastFailure endpoint={endpoint} />
      </td>
      <td className="acts">{mayWrite && <Actions endpoint={endpoint} onAsk={onAsk} />}</td>
    </tr>
  );
};

type TableProps = { endpoints: Endpoint[]; onAsk: (action: EndpointAction) => void };

export const Endpoints = ({ endpoints, onAsk }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label="Endpoints" tabIndex={0}>
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">Status</th>
          <th scope="col">Told of</th>
          <th scope="col">Arrived in 24 h</th>
          <th scope="col">Waiting</th>
          <th scope="col">Given up</th>
          <th scope="col">Last failure</th>
          <th scope="col">
            <span className="unseen">Actions</span>
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
