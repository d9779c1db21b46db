import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { LifeItems, RowMenu } from "#ui/list/table/RowMenu.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { restore, resume } from "./actions.ts";
import type { AppAsking } from "./dialogs.tsx";
import { type App, linkOf } from "./queries.ts";

type AskProps = { app: App; onAsk: (asking: AppAsking) => void };

const SuspensionItem = ({ app, onAsk }: AskProps) =>
  app.suspendedAt === null ? (
    <Menu.Item
      leftSection={<Icon name="player-pause" />}
      onClick={() => onAsk({ about: "suspend", records: [app] })}
    >
      {t`Suspend app`}
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={<Icon name="player-play" />} onClick={() => attempt(() => resume(app))}>
      {t`Resume app`}
    </Menu.Item>
  );

type Props = AskProps & { onPreview: () => void };

export const AppMenu = ({ app, onPreview, onAsk }: Props) => {
  const mayWrite = useMay("apps:write");
  const maySuspend = useMay("apps:suspend");
  const { id, status, codeFrozen } = app;
  const canEdit = mayWrite && status !== "archived";
  return (
    <RowMenu
      id={id}
      href={linkOf(app)}
      onPreview={onPreview}
      edit={canEdit ? { to: "/apps/edit/$id", params: { id } } : null}
      duplicate={mayWrite ? { to: "/apps/create", search: { from: id } } : null}
    >
      {mayWrite && (
        <LifeItems
          record={app}
          canDelete={status === "draft" && !codeFrozen}
          onAsk={onAsk}
          onRestore={restore}
        />
      )}
      {maySuspend && status !== "draft" && <SuspensionItem app={app} onAsk={onAsk} />}
    </RowMenu>
  );
};
