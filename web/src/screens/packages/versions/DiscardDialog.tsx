import { t } from "@lingui/core/macro";
import { discardDraft } from "@purser/contract/packages/versions";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { toast } from "#ui/popups/toast.ts";
import type { Package } from "../queries.ts";

type Props = { pack: Package; onClose: () => void };

export const DiscardDialog = ({ pack, onClose }: Props) => {
  const { id, name, draft, onSale } = pack;
  if (!draft) return null;
  const { number } = draft;
  const sold = onSale?.number ?? "";
  return (
    <Confirm
      isHard
      onClose={onClose}
      title={t`Discard the draft of version ${number}?`}
      fact={
        onSale
          ? t`Its changes are lost. Version ${sold} is still on sale.`
          : t`Its changes are lost.`
      }
      sign={{ icon: "trash", tone: "bad" }}
      button={t`Discard draft`}
      action={async () => {
        await call(discardDraft, { params: { id }, body: { draftId: draft.id } });
        await queryClient.invalidateQueries({ queryKey: ["packages"] });
        toast(t`Draft of ${name} discarded`);
      }}
    />
  );
};
