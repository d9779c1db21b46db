import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { RowMenu } from "#ui/list/table/RowMenu.tsx";
import { attempt } from "#ui/popups/toast.ts";
import type { Asking } from "#ui/record/lifecycle.tsx";
import { restore } from "./actions.ts";
import { linkOf, matrixOf, type Package } from "./queries.ts";

type Props = {
  stored: Package;
  onPreview: () => void;
  onAsk: (asking: Asking<Package>) => void;
};

export const PackageMenu = ({ stored, onPreview, onAsk }: Props) => {
  const mayWrite = useMay("packages:write");
  const navigate = useNavigate();
  const { id, status, codeFrozen } = stored;
  const canEdit = mayWrite && status !== "archived";
  return (
    <RowMenu
      id={id}
      href={linkOf(stored)}
      onPreview={onPreview}
      edit={canEdit ? { to: "/package/edit/$id", params: { id } } : null}
      duplicate={mayWrite ? { to: "/package/create", search: { from: id } } : null}
    >
      <Menu.Item
        leftSection={<Icon name="adjustments" />}
        onClick={() => navigate({ href: matrixOf(stored) })}
      >
        {t`Apps and features`}
      </Menu.Item>
      {mayWrite && (
        <>
          <Menu.Divider />
          {status === "active" && (
            <Menu.Item
              leftSection={<Icon name="archive" />}
              onClick={() => onAsk({ about: "archive", records: [stored] })}
            >
              {t`Archive`}
            </Menu.Item>
          )}
          {status === "archived" && (
            <Menu.Item
              leftSection={<Icon name="archive-off" />}
              onClick={() => attempt(() => restore(stored))}
            >
              {t`Restore`}
            </Menu.Item>
          )}
          {!codeFrozen && (
            <Menu.Item
              data-tone="bad"
              leftSection={<Icon name="trash" />}
              onClick={() => onAsk({ about: "delete", records: [stored] })}
            >
              {t`Delete`}
            </Menu.Item>
          )}
        </>
      )}
    </RowMenu>
  );
};
