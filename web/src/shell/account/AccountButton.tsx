import { t } from "@lingui/core/macro";
import { useState } from "react";
import { roleNames } from "#lib/labels/roles.ts";
import { useMe } from "#lib/session/session.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";

const AccountPanel = part(async () => (await import("./AccountPanel.tsx")).AccountPanel);

type Props = { small?: boolean; onShortcuts: () => void };

export const AccountButton = ({ small = false, onShortcuts }: Props) => {
  const { name, role } = useMe();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <Popup
      kind="dialog"
      label={t`Account`}
      opened={opened}
      onClose={close}
      place={small ? "bottom-end" : "top-start"}
      width={300}
      trigger={
        <button
          type="button"
          className={small ? "person-small" : "person"}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Avatar name={name} />
          <span className="unseen">{t`Account of ${name}`}</span>
          {!small && (
            <>
              <span className="person-words" aria-hidden="true">
                <b>{name}</b>
                <small>{roleNames[role]}</small>
              </span>
              <Icon name="dots" />
            </>
          )}
        </button>
      }
    >
      {(done) => <AccountPanel onDone={done} onShortcuts={onShortcuts} />}
    </Popup>
  );
};
