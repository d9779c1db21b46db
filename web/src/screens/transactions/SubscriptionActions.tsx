import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { actionsFor, type SubscriptionAction } from "./actions/subscriptionActions.ts";
import type { Subscription } from "./queries.ts";

const loadDialogs = () => import("./actions/subscriptionDialogs.tsx");
const dialogs = {
  change: part(async () => (await import("./actions/ChangeDialog.tsx")).ChangeDialog),
  extend: part(async () => (await loadDialogs()).ExtendDialog),
  pause: part(async () => (await loadDialogs()).PauseDialog),
  resume: part(async () => (await loadDialogs()).ResumeDialog),
  keep: part(async () => (await loadDialogs()).KeepDialog),
  cancel: part(async () => (await loadDialogs()).CancelDialog),
};

type MenuProps = {
  stored: Subscription;
  label: string;
  onChoose: (action: SubscriptionAction) => void;
};

const ActionMenu = ({ stored, label, onChoose }: MenuProps) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="menu"
      label={label}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-end"
      width={210}
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
      {() =>
        actionsFor(stored).map(({ name, label: text, icon, isHard }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon name={icon} />}
            onClick={() => onChoose(name)}
            {...(isHard && { "data-tone": "bad" })}
          >
            {text}
          </Menu.Item>
        ))
      }
    </Popup>
  );
};

type Props = {
  stored: Subscription;
  /** Which subscription, if there are several. */
  label?: string;
};

/** What can be done with a subscription, as a menu. Absent without permission or if there is nothing. */
export const SubscriptionActions = ({ stored, label = t`Subscription actions` }: Props) => {
  const mayWrite = useMay("users:write");
  const [chosen, setChosen] = useState<SubscriptionAction | null>(null);
  const OpenDialog = chosen && dialogs[chosen];
  if (!mayWrite || actionsFor(stored).length === 0) return null;
  return (
    <>
      <ActionMenu stored={stored} label={label} onChoose={setChosen} />
      <Suspense>
        {OpenDialog && <OpenDialog stored={stored} onClose={() => setChosen(null)} />}
      </Suspense>
    </>
  );
};

/** Opens the change of a customer's main subscription. Absent if it can't be changed. */
export const ChangePackage = ({ stored }: { stored: Subscription | undefined }) => {
  const mayWrite = useMay("users:write");
  const [isOpen, setOpen] = useState(false);
  if (!(mayWrite && stored && actionsFor(stored).some(({ name }) => name === "change")))
    return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="package" />} onClick={() => setOpen(true)}>
        {t`Change package`}
      </Button>
      <Suspense>
        {isOpen && <dialogs.change stored={stored} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
};
