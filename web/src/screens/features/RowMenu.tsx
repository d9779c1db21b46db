import { useMay } from "#lib/session/session.ts";
import { LifeItems, RowMenu } from "#ui/list/table/RowMenu.tsx";
import type { Asking } from "#ui/record/lifecycle.tsx";
import { canDelete, restore } from "./actions.ts";
import { type Feature, linkOf } from "./queries.ts";

type Props = { feature: Feature; onPreview: () => void; onAsk: (asking: Asking<Feature>) => void };

export const FeatureMenu = ({ feature, onPreview, onAsk }: Props) => {
  const mayWrite = useMay("features:write");
  const { id, status } = feature;
  const canEdit = mayWrite && status !== "archived";
  return (
    <RowMenu
      id={id}
      href={linkOf(feature)}
      onPreview={onPreview}
      edit={canEdit ? { to: "/feature/edit/$id", params: { id } } : null}
      duplicate={mayWrite ? { to: "/feature/create", search: { from: id } } : null}
    >
      {mayWrite && (
        <LifeItems
          record={feature}
          canDelete={canDelete(feature)}
          onAsk={onAsk}
          onRestore={restore}
        />
      )}
    </RowMenu>
  );
};
