import { t } from "@lingui/core/macro";
import { Button, Menu } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { part } from "#ui/page/lazyPart.tsx";
import type { User } from "../queries.ts";

const dialogs = {
  grant: part(async () => (await import("./GrantDialog.tsx")).GrantDialog),
  trial: part(async () => (await import("./TrialDialog.tsx")).TrialDialog),
  discount: part(async () => (await import("./DiscountDialog.tsx")).DiscountDialog),
  transfer: part(async () => (await import("./TransferDialog.tsx")).TransferDialog),
  merge: part(async () => (await import("./MergeDialog.tsx")).MergeDialog),
};
type Action = keyof typeof dialogs;

const items: { action: Action; icon: IconName; label: string }[] = [
  { action: "trial", icon: "hourglass", label: t`Start trial…` },
  { action: "discount", icon: "discount", label: t`Apply discount…` },
  { action: "transfer", icon: "arrow-right", label: t`Transfer access…` },
  { action: "merge", icon: "users", label: t`Merge with another customer…` },
];

type AccessActions = { button: ReactNode; items: ReactNode; dialog: ReactNode };

/** Actions on a customer's access: a button, menu items, and the dialog that they open. */
export const useAccessActions = (user: User): AccessActions => {
  const mayWrite = useMay("users:write");
  const [open, setOpen] = useState<Action | null>(null);
  if (!mayWrite || user.status === "erased" || user.status === "suspended")
    return { button: null, items: null, dialog: null };
  const Opened = open && dialogs[open];
  return {
    button: (
      <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setOpen("grant")}>
        {t`Grant access`}
      </Button>
    ),
    items: items.map(({ action, icon, label }) => (
      <Menu.Item key={action} leftSection={<Icon name={icon} />} onClick={() => setOpen(action)}>
        {label}
      </Menu.Item>
    )),
    dialog: <Suspense>{Opened && <Opened user={user} onClose={() => setOpen(null)} />}</Suspense>,
  };
};
