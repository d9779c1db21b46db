import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { RowMenu } from "#ui/list/table/RowMenu.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { canArchive, canPause, pause, restore, resume } from "./actions.ts";
import { editedAt, type Promotion, shownAt } from "./queries.ts";

/** An action of a menu or the bulk bar that needs a dialog first. */
export type Asking = {
  about: "publish" | "extend" | "archive" | "delete" | "codes";
  promotions: Promotion[];
  /** Clears the selection. */
  clear?: () => void;
};

type Props = { promotion: Promotion; onPreview: () => void; onAsk: (asking: Asking) => void };

type ItemProps = { icon: IconName; tone?: "bad"; onClick: () => void; children: ReactNode };

const Item = ({ icon, tone, onClick, children }: ItemProps) => (
  <Menu.Item
    leftSection={<Icon name={icon} />}
    onClick={onClick}
    {...(tone && { "data-tone": tone })}
  >
    {children}
  </Menu.Item>
);

const Steps = ({ promotion, onAsk }: Omit<Props, "onPreview">) => {
  const { status, requiresCode } = promotion;
  const ask = (about: Asking["about"]) => () => onAsk({ about, promotions: [promotion] });
  return (
    <>
      <Menu.Divider />
      {status === "draft" && (
        <Item icon="player-play" onClick={ask("publish")}>
          {t`Publish`}
        </Item>
      )}
      {canPause(promotion) && (
        <Item icon="player-pause" onClick={() => attempt(() => pause(promotion))}>
          {t`Pause`}
        </Item>
      )}
      {status === "paused" && (
        <Item icon="player-play" onClick={() => attempt(() => resume(promotion))}>
          {t`Resume`}
        </Item>
      )}
      {requiresCode && status !== "archived" && (
        <Item icon="key" onClick={ask("codes")}>
          {t`Generate codes`}
        </Item>
      )}
      {canArchive(promotion) && (
        <Item icon="archive" onClick={ask("archive")}>
          {t`Archive`}
        </Item>
      )}
      {status === "archived" && (
        <Item icon="archive-off" onClick={() => attempt(() => restore(promotion))}>
          {t`Restore`}
        </Item>
      )}
      {status === "draft" && (
        <Item icon="trash" tone="bad" onClick={ask("delete")}>
          {t`Delete draft`}
        </Item>
      )}
    </>
  );
};

export const PromotionMenu = ({ promotion, onPreview, onAsk }: Props) => {
  const mayWrite = useMay("promotions:write");
  const { id, status } = promotion;
  const canEdit = mayWrite && status !== "archived";
  return (
    <RowMenu
      id={id}
      href={canEdit ? editedAt(promotion) : shownAt(promotion)}
      onPreview={onPreview}
      edit={canEdit ? { to: "/promotion/edit/$id", params: { id } } : null}
      duplicate={mayWrite ? { to: "/promotion/create", search: { from: id } } : null}
    >
      {mayWrite && <Steps promotion={promotion} onAsk={onAsk} />}
    </RowMenu>
  );
};
