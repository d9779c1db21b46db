import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { RowMenu } from "#ui/list/table/RowMenu.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { restore, stepOf } from "./actions.ts";
import { linkOf, type User } from "./queries.ts";
import { useMayEdit } from "./useMayEdit.ts";

type Props = { user: User; onPreview: () => void; onSuspend: () => void };

export const UserMenu = ({ user, onPreview, onSuspend }: Props) => {
  const mayWrite = useMay("users:write");
  const mayEdit = useMayEdit(user);
  const { id } = user;
  const step = mayWrite ? stepOf(user) : null;
  return (
    <RowMenu
      id={id}
      href={linkOf(user)}
      onPreview={onPreview}
      edit={mayEdit ? { to: "/users/edit/$id", params: { id } } : null}
      duplicate={null}
    >
      {step && <Menu.Divider />}
      {step === "suspend" && (
        <Menu.Item leftSection={<Icon name="lock" />} onClick={onSuspend}>
          {t`Suspend…`}
        </Menu.Item>
      )}
      {step === "restore" && (
        <Menu.Item
          leftSection={<Icon name="arrow-back-up" />}
          onClick={() => attempt(() => restore(user))}
        >
          {t`Reactivate`}
        </Menu.Item>
      )}
    </RowMenu>
  );
};
