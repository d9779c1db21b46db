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
  return (
    <Confirm
      isHard
      onClose={onClose}
      title={`Discard the draft of version ${draft.number}?`}
      fact={`All that differs from what is on sale is lost${onSale ? `; version ${onSale.number} stays on sale` : ""}.`}
      sign={{ icon: "trash", tone: "bad" }}
      button="Discard draft"
      act={async () => {
        await call(discardDraft, { params: { id }, body: { draftId: draft.id } });
        await queryClient.invalidateQueries({ queryKey: ["packages"] });
        toast(`The draft of ${name} is discarded.`);
      }}
    />
  );
};
