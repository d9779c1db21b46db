import { t } from "@lingui/core/macro";
import type { EntityName } from "@purser/contract/entities";
import type { Fields } from "@purser/contract/http/list";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { ListDeclaration } from "../declaration.ts";
import type { Identified } from "../table/tableEngine.ts";
import { actionLabel, type BulkAction, bulkActions } from "./bulkActions.ts";
import type { AllSelected } from "./SelectAll.tsx";

const BulkDialog = part(async () => (await import("./BulkDialog.tsx")).BulkDialog);

type Props = {
  list: Pick<ListDeclaration<Identified, Fields>, "name" | "texts">;
  search: ListSearch;
  all: AllSelected;
  onClear: () => void;
};

/** The actions on all rows that match. */
export const AllActions = ({ list: { name, texts }, search, all, onClear }: Props) => {
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const mayWrite = useMay(`${name as EntityName}:write`);
  const actions = bulkActions[name] ?? [];
  if (actions.length === 0) return <span>{t`Use Export for all of them.`}</span>;
  if (!mayWrite) return <span>{t`You don't have permission to edit these.`}</span>;
  return (
    <>
      {actions.map((action) => {
        const { label, icon } = actionLabel(name, action);
        return (
          <button key={action} type="button" onClick={() => setAsked(action)}>
            <Icon name={icon} />
            {label}
          </button>
        );
      })}
      <Suspense>
        {asked && (
          <BulkDialog
            list={name}
            texts={texts}
            action={asked}
            search={search}
            selected={all.count}
            onClose={() => setAsked(null)}
            onDone={onClear}
          />
        )}
      </Suspense>
    </>
  );
};
