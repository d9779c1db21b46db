import type { Fields } from "@purser/contract/http/list";
import { Keys } from "../Keys.tsx";
import type { ListDeclaration } from "./declaration.ts";
import type { Identified, Table } from "./table/tableEngine.ts";

type BulkProps<Row extends Identified> = {
  table: Table<Row>;
  bulkOf: ListDeclaration<Row, Fields>["bulkOf"];
  many: string;
};

export const BulkBar = <Row extends Identified>({ table, bulkOf, many }: BulkProps<Row>) => (
  <table.Subscribe source={table.atoms.rowSelection}>
    {(selection) => {
      const rows = table
        .getRowModel()
        .rows.filter(({ id }) => selection[id])
        .map(({ original }) => original);
      const clear = () => table.resetRowSelection(true);
      if (rows.length === 0) return null;
      return (
        <div className="bulk" role="toolbar" aria-label={`Selected ${many}`}>
          <b>{rows.length} selected</b>
          <i />
          {bulkOf(rows, clear)}
          <i />
          <button type="button" onClick={clear}>
            Clear
            <Keys keys="escape" />
          </button>
        </div>
      );
    }}
  </table.Subscribe>
);
