import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { RowMenu } from "#ui/list/table/RowMenu.tsx";
import { refundableOf } from "./labels.ts";
import { linkOf, type Transaction } from "./queries.ts";

type Props = {
  stored: Transaction;
  onPreview: () => void;
  onRefund: (stored: Transaction) => void;
};

export const TransactionMenu = ({ stored, onPreview, onRefund }: Props) => {
  const mayWrite = useMay("transactions:write");
  const { id } = stored;
  return (
    <RowMenu
      id={id}
      href={linkOf(stored)}
      onPreview={onPreview}
      edit={mayWrite ? { to: "/transaction/edit/$id", params: { id } } : null}
      duplicate={null}
    >
      {mayWrite && refundableOf(stored) > 0 && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="receipt-refund" />} onClick={() => onRefund(stored)}>
            {t`Refund…`}
          </Menu.Item>
        </>
      )}
    </RowMenu>
  );
};
