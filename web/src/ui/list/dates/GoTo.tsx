import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";

const GoToDate = part(async () => (await import("./GoToDate.tsx")).GoToDate);

type Props = { at: string | undefined; onGo: (day: string) => void };

/** Goes to the first row of a day. */
export const GoTo = ({ at, onGo }: Props) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="dialog"
      label={t`Go to date`}
      opened={opened}
      onClose={() => setOpened(false)}
      place="top-start"
      width={260}
      trigger={
        <Button
          variant="default"
          aria-label={t`Go to date`}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon name="calendar" />
          <span className="wide-only go-label">{t`Go to date`}</span>
        </Button>
      }
    >
      {(close) => (
        <GoToDate
          at={at}
          onGo={(day) => {
            close();
            onGo(day);
          }}
        />
      )}
    </Popup>
  );
};
