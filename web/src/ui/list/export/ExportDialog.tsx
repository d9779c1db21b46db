import "#ui/styles/radioSheets.ts";
import { Button, NativeSelect, Radio, Stack } from "@mantine/core";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { useState } from "react";
import { addressOf } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { browserTimeZone, utcOffset } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import type { ListFile, Total } from "../declaration.ts";
import { isNarrowed } from "../listSearch.ts";
import { totalLabels } from "../Pager.tsx";

type Props = {
  file: ListFile;
  /** The entity's plural: "apps". */
  many: string;
  search: ListSearch;
  columns: string[];
  total: Total | null;
  selected: string[];
  onClose: () => void;
};

type Scope = "selected" | "filter" | "all";

/** Chooses the rows, columns and format of an export. */
export const ExportDialog = (props: Props) => {
  const { file, many, search, columns, total, selected, onClose } = props;
  const zone = useTimeZone();
  const [scope, setScope] = useState<Scope>(
    selected.length > 0 ? "selected" : isNarrowed(search) ? "filter" : "all",
  );
  const [all, setAll] = useState("visible");
  const [format, setFormat] = useState("csv");
  const [inZone, setInZone] = useState(zone);
  const known = file.columns.filter((column) => all === "all" || columns.includes(column));
  const address = addressOf(file.path, {
    query: {
      format,
      columns: known.join(","),
      zone: inZone,
      ...(scope === "selected" && { ids: selected.join(",") }),
      ...(scope === "filter" && { q: search.q, f: search.f }),
      sort: search.sort,
    },
  });
  const rows = total ? `${totalLabels(total)} ${total.count === 1 ? "row" : "rows"}` : "";
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Export ${many}`}
      fact="One file, of one moment: what is saved meanwhile is not in it."
      sign={{ icon: "table-export", tone: "info" }}
      size={460}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button component="a" href={address} download onClick={() => setTimeout(onClose)}>
            Download {format === "csv" ? "CSV" : "JSON Lines"}
          </Button>
        </>
      }
    >
      <Radio.Group label="Rows" value={scope} onChange={(next) => setScope(next as Scope)}>
        <Stack gap={8} mt={4}>
          {selected.length > 0 && (
            <Radio value="selected" label={`The selection: ${count(selected.length, "row")}`} />
          )}
          {isNarrowed(search) && <Radio value="filter" label={`This search and filter: ${rows}`} />}
          <Radio value="all" label={isNarrowed(search) ? `All ${many}` : `All ${many}: ${rows}`} />
        </Stack>
      </Radio.Group>
      <Radio.Group label="Columns" value={all} onChange={setAll}>
        <Stack gap={8} mt={4}>
          <Radio value="visible" label="Those shown in the list" />
          <Radio value="all" label={`All ${file.columns.length}`} />
        </Stack>
      </Radio.Group>
      <Radio.Group label="Format" value={format} onChange={setFormat}>
        <Stack gap={8} mt={4}>
          <Radio value="csv" label="CSV, for spreadsheets" />
          <Radio value="jsonl" label="JSON Lines, for programs" />
        </Stack>
      </Radio.Group>
      <NativeSelect
        label="Times in"
        value={inZone}
        onChange={({ currentTarget }) => setInZone(currentTarget.value)}
        data={[...new Set([zone, browserTimeZone(), "UTC"])].map((value) => ({
          value,
          label: `${value} (${utcOffset(value, new Date())})`,
        }))}
      />
    </Dialog>
  );
};
