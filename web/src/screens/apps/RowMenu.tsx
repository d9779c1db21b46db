import { useMay } from "#lib/session/session.ts";
import { LifeItems, RowMenu } from "#ui/list/table/RowMenu.tsx";
import type { Asking } from "#ui/record/lifecycle.tsx";
import { restore } from "./actions.ts";
import { type App, linkOf } from "./queries.ts";

type Props = { app: App; onPreview: () => void; onAsk: (asking: Asking<App>) => void };

export const AppMenu = ({ app, onPreview, onAsk }: Props) => {
  const mayWrite = useMay("apps:write");
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
    </RowMenu>
  );
};
