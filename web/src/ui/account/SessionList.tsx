import "./devices.css";
import { Button } from "@mantine/core";
import type { listSessions } from "@purser/contract/auth/activeSessions";
import type { Wire } from "@purser/contract/http/endpoint";
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
      const { id, createdAt, lastSeenAt, address, device, current } = session;
      return (
        <li key={id}>
          <Icon name="device-desktop" />
          <div>
            <span className="device-name">{device}</span>
            <small>
              {address}
              <span className="dot" />
              since <Moment at={createdAt} />
              <span className="dot" />
              {current ? (
                "this device"
              ) : (
                <>
                  seen <Moment at={lastSeenAt} />
                </>
              )}
            </small>
          </div>
          {onEnd && !current && (
            <Button
              variant="default"
              size="xs"
              aria-label={`End the session of ${device} at ${address}`}
              onClick={() => onEnd(session)}
            >
              End
            </Button>
          )}
        </li>
      );
    })}
  </ul>
);
