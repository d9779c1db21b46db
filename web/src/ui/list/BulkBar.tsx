import "./bulk.css";
import { plural, t } from "@lingui/core/macro";
import type { Fields } from "@purser/contract/http/list";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { type ReactNode, Suspense } from "react";
import { Keys } from "../Keys.tsx";
import { part } from "../page/lazyPart.tsx";
import type { ListDeclaration } from "./declaration.ts";
import type { AllSelected } from "./jobs/SelectAll.tsx";
import type { Identified } from "./table/tableEngine.ts";

type Props<Row extends Identified> = {
  list: ListDeclaration<Row, Fields>;
  search: ListSearch;
  /** The selected rows of the page. */
  rows: Row[];
  /** Set if all rows that match are selected. */
  all: AllSelected | null;
  onClear: () => void;
};

// Only once all rows that match are selected.
const AllActions = part(async () => (await import("./jobs/AllActions.tsx")).AllActions);

/** The actions on the selected rows. */
export const BulkBar = <Row extends Identified>(props: Props<Row>) => {
  const { list, search, rows, all, onClear } = props;
  const actions: ReactNode = all ? (
    <Suspense>
      <AllActions list={list} search={search} all={all} onClear={onClear} />
    </Suspense>
  ) : (
    list.bulkOf(rows, onClear)
  );
  return (
    <div className="bulk" role="toolbar" aria-label={t`Selected rows`}>
      <b>{plural(all?.count ?? rows.length, { other: "# selected" })}</b>
      <i />
      {actions}
      <i />
      <button type="button" onClick={onClear}>
        {t`Clear`}
        <Keys keys="escape" />
      </button>
    </div>
  );
};
