import { Button, Menu } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { part } from "#ui/page/lazyPart.tsx";
import type { User } from "../queries.ts";

const dialogs = {
  give: part(async () => (await import("./GrantDialog.tsx")).GiveDialog),
  trial: part(async () => (await import("./TrialDialog.tsx")).TrialDialog),
  goodwill: part(async () => (await import("./DiscountDialog.tsx")).GoodwillDialog),
  move: part(async () => (await import("./MoveDialog.tsx")).MoveDialog),
  merge: part(async () => (await import("./MergeDialog.tsx")).MergeDialog),
};
type Act = keyof typeof dialogs;

const items: { act: Act; icon: IconName; label: string }[] = [
  { act: "trial", icon: "hourglass", label: "Start trial…" },
  { act: "goodwill", icon: "discount", label: "Give discount…" },
  { act: "move", icon: "arrow-right", label: "Move rights…" },
  { act: "merge", icon: "users", label: "Merge another record…" },
];

type Acts = { button: ReactNode; items: ReactNode; dialog: ReactNode };

/** Actions on a customer's access: a button, menu items, and the dialog that they open. */
export const useAccessActions = (user: User): Acts => {
  const mayWrite = useMay("users:write");
  const [open, setOpen] = useState<Act | null>(null);
  if (!mayWrite || user.status === "erased" || user.status === "suspended")
    return { button: null, items: null, dialog: null };
  const Opened = open && dialogs[open];
  return {
    button: (
      <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setOpen("give")}>
        Give access
      </Button>
    ),
    items: items.map(({ act, icon, label }) => (
      <Menu.Item key={act} leftSection={<Icon name={icon} />} onClick={() => setOpen(act)}>
        {label}
      </Menu.Item>
    )),
    dialog: <Suspense>{Opened && <Opened user={user} onClose={() => setOpen(null)} />}</Suspense>,
  };
};
