import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "./devices.css";
import { Button } from "@mantine/core";
import type { listSessions } from "@purser/contract/auth/activeSessions";
import type { Wire } from "@purser/contract/http/endpoint";
import { messageText } from "#lib/serverMessages.ts";
import { Icon } from "../Icon.tsx";
import { Moment } from "../Moment.tsx";

export type ShownSession = Wire<typeof listSessions>["reply"]["items"][number];

type Props = {
  label: string;
  sessions: readonly ShownSession[];
  /** Absent in read-only lists. */
  onEnd?: ((session: ShownSession) => void) | undefined;
};

/** Active sessions, each with a button to end it. */
export const SessionList = ({ label, sessions, onEnd }: Props) => (
  <ul className="devices" aria-label={label}>
    {sessions.map((session) => {
      const { id, createdAt, lastSeenAt, address, current } = session;
      const device = messageText(session.device);
      return (
        <li key={id}>
          <Icon name="device-desktop" />
          <div>
            <span className="device-name">{device}</span>
            <small>
              {address}
              <span className="dot" />
              <Trans>
                Signed in <Moment at={createdAt} />
              </Trans>
              <span className="dot" />
              {current ? (
                t`This device`
              ) : (
                <Trans>
                  Last seen <Moment at={lastSeenAt} />
                </Trans>
              )}
            </small>
          </div>
          {onEnd && !current && (
            <Button
              variant="default"
              size="xs"
              aria-label={t`End session on ${device} at ${address}`}
              onClick={() => onEnd(session)}
            >
              {t`End session`}
            </Button>
          )}
        </li>
      );
    })}
  </ul>
);
