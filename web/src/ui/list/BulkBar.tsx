import { plural, t } from "@lingui/core/macro";
import type { Fields } from "@purser/contract/http/list";
import { Keys } from "../Keys.tsx";
import type { ListDeclaration } from "./declaration.ts";
import type { Identified, Table } from "./table/tableEngine.ts";

type BulkProps<Row extends Identified> = {
  table: Table<Row>;
  bulkOf: ListDeclaration<Row, Fields>["bulkOf"];
};

export const BulkBar = <Row extends Identified>({ table, bulkOf }: BulkProps<Row>) => (
  <table.Subscribe source={table.atoms.rowSelection}>
    {(selection) => {
      const rows = table
        .getRowModel()
        .rows.filter(({ id }) => selection[id])
        .map(({ original }) => original);
      const clear = () => table.resetRowSelection(true);
      if (rows.length === 0) return null;
      return (
        <div className="bulk" role="toolbar" aria-label={t`Selected rows`}>
          <b>{plural(rows.length, { other: "# selected" })}</b>
          <i />
          {bulkOf(rows, clear)}
          <i />
          <button type="button" onClick={clear}>
            {t`Clear`}
            <Keys keys="escape" />
          </button>
        </div>
      );
    }}
  </table.Subscribe>
);
