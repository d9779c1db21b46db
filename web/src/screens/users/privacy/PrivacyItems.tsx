import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { User } from "../queries.ts";

const EraseDialog = part(async () => (await import("./EraseDialog.tsx")).EraseDialog);
const ExportDialog = part(async () => (await import("./ExportDialog.tsx")).ExportDialog);

export const privacyDialogs = { erase: EraseDialog, data: ExportDialog };
export type PrivacyAction = keyof typeof privacyDialogs;

type Props = { user: User; onAsk: (action: PrivacyAction) => void };

/** Menu items for privacy requests: data export and erasure. */
export const PrivacyItems = ({ user: { status, role }, onAsk }: Props) => {
  const may = useMay("users:privacy");
  if (!may || status === "erased") return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Item leftSection={<Icon name="download" />} onClick={() => onAsk("data")}>
        {t`Export data…`}
      </Menu.Item>
      {role === null && (
        <Menu.Item
          leftSection={<Icon name="trash" />}
          data-tone="bad"
          onClick={() => onAsk("erase")}
        >
          {t`Erase personal data…`}
        </Menu.Item>
      )}
    </>
  );
};
