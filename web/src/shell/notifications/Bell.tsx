import { plural, t } from "@lingui/core/macro";
import "./notifications.css";
import { unreadMax } from "@purser/contract/workspace/unread";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { number } from "#lib/intl.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { unreadQuery } from "./queries.ts";

const Notifications = part(async () => (await import("./Notifications.tsx")).Notifications);

/** How many are unread. More than 9 aren't counted. */
const unreadLabel = (unread: number) =>
  unread >= unreadMax
    ? t`more than ${number(unreadMax - 1)} unread`
    : plural(unread, { one: "# unread", other: "# unread" });

/** Shows a dot while something is unread. */
export const Bell = ({ small = false }: { small?: boolean }) => {
  const { data } = useQuery(unreadQuery);
  const [opened, setOpened] = useState(false);
  const unread = data?.unread ?? 0;
  const count = unreadLabel(unread);
  return (
    <Popup
      kind="dialog"
      label={t`Notifications`}
      opened={opened}
      onClose={() => setOpened(false)}
      place={small ? "bottom-end" : "bottom-start"}
      width={340}
      trigger={
        <button
          type="button"
          className="bell"
          aria-expanded={opened}
          aria-label={unread > 0 ? t`Notifications, ${count}` : t`Notifications`}
          data-tip={t`Notifications`}
          onClick={() => setOpened(!opened)}
        >
          <Icon name="bell" size={small ? 20 : 16} />
          {unread > 0 && <span className="bell-dot" />}
        </button>
      }
    >
      {(done) => <Notifications onDone={done} />}
    </Popup>
  );
};
