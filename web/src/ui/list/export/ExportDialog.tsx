import "#ui/styles/radioSheets.ts";
import { t } from "@lingui/core/macro";
import { Button, NativeSelect, Radio, Stack } from "@mantine/core";
import type { EntityName } from "@purser/contract/entities";
import { downloadRowsMax, startExport } from "@purser/contract/http/listJobs";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { useState } from "react";
import { z } from "zod";
import { addressOf, call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { browserTimeZone } from "#lib/time/dates.ts";
import { utcOffset } from "#lib/time/localTime.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { downloadLink, startDownload } from "#ui/page/downloads.ts";
import { attempt, toast } from "#ui/popups/toast.ts";
import type { ListFile, Total } from "../declaration.ts";
import { jobsChanged } from "../jobs/queries.ts";
import { isNarrowed } from "../listSearch.ts";
import { totalLabels } from "../Pager.tsx";

type Props = {
  file: ListFile;
  /** "Export apps". */
  title: string;
  search: ListSearch;
  columns: string[];
  total: Total | null;
  selected: string[];
  onClose: () => void;
};

type Scope = "selected" | "filter" | "all";

/** The contract of each list has its own columns and fields, which the server checks. */
const exportOptions = z.object({ format: z.string(), columns: z.string(), zone: z.string() });
type Options = z.input<typeof exportOptions>;

/** Starts a job, or a download if there are fewer rows than expected. */
const startLargeExport = async (
  { path, permission }: ListFile,
  query: Options,
  address: string,
) => {
  const list = path.split("/")[1] as EntityName;
  const { job } = await call(startExport(list, { permission, query: exportOptions }), {
    body: query,
  });
  if (!job) return startDownload(address);
  await jobsChanged(list);
  toast(t`Export started. The bell tells you when it's ready.`);
};

const rowsOf = (scope: Scope, { q, f, sort }: ListSearch, selected: string[]) => ({
  ...(scope === "selected" && { ids: selected.join(",") }),
  ...(scope === "filter" && { ...(q && { q }), f }),
  ...(sort && { sort }),
});

/** Whether there may be too many rows for a download. Those of a filtered list are counted, but not all. */
const isLarge = (scope: Scope, search: ListSearch, total: Total | null) => {
  if (scope === "selected") return false;
  const isCounted = total?.kind === "exact" && (scope === "filter" || !isNarrowed(search));
  return !isCounted || total.count > downloadRowsMax;
};

/** In the order of the list. Amounts of several currencies mean nothing without the currency. */
const visibleIn = ({ columns: exported }: ListFile, visible: readonly string[]) => {
  const both = visible.filter((column) => exported.includes(column));
  return exported.includes("currency") && !both.includes("currency") ? [...both, "currency"] : both;
};

/** Chooses the rows, columns and format of an export. */
export const ExportDialog = (props: Props) => {
  const { file, title, search, columns, total, selected, onClose } = props;
  const zone = useTimeZone();
  const [scope, setScope] = useState<Scope>(
    selected.length > 0 ? "selected" : isNarrowed(search) ? "filter" : "all",
  );
  const [all, setAll] = useState("visible");
  const [format, setFormat] = useState("csv");
  const [inZone, setInZone] = useState(zone);
  const [busy, setBusy] = useState(false);
  const known = all === "all" ? file.columns : visibleIn(file, columns);
  const query = {
    format,
    columns: known.join(","),
    zone: inZone,
    ...rowsOf(scope, search, selected),
  };
  const address = addressOf(file.path, { query });
  const mayBeLarge = isLarge(scope, search, total);
  const start = async () => {
    setBusy(true);
    try {
      await startLargeExport(file, query, address);
      onClose();
    } finally {
      setBusy(false);
    }
  };
  const rows = total ? totalLabels(total) : "";
  const withRows = {
    filter: rows ? t`Current search and filters (${rows})` : t`Current search and filters`,
    all: rows && !isNarrowed(search) ? t`All rows (${rows})` : t`All rows`,
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      fact={t`A snapshot of the list right now.`}
      sign={{ icon: "download", tone: "info" }}
      size={460}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          {mayBeLarge ? (
            <Button aria-busy={busy} onClick={() => void attempt(start)}>
              {t`Start export`}
            </Button>
          ) : (
            <Button component="a" {...downloadLink(address, onClose)}>
              {format === "csv" ? t`Download CSV` : t`Download JSON Lines`}
            </Button>
          )}
        </>
      }
    >
      <Radio.Group label={t`Rows`} value={scope} onChange={(next) => setScope(next as Scope)}>
        <Stack gap={8} mt={4}>
          {selected.length > 0 && (
            <Radio
              value="selected"
              label={t`Selected rows (${{ rows: number(selected.length) }})`}
            />
          )}
          {isNarrowed(search) && <Radio value="filter" label={withRows.filter} />}
          <Radio value="all" label={withRows.all} />
        </Stack>
      </Radio.Group>
      <Radio.Group label={t`Columns`} value={all} onChange={setAll}>
        <Stack gap={8} mt={4}>
          <Radio value="visible" label={t`Visible columns`} />
          <Radio value="all" label={t`All columns (${{ columns: number(file.columns.length) }})`} />
        </Stack>
      </Radio.Group>
      <Radio.Group label={t`Format`} value={format} onChange={setFormat}>
        <Stack gap={8} mt={4}>
          <Radio value="csv" label={t`CSV for spreadsheets`} />
          <Radio value="jsonl" label={t`JSON Lines for scripts`} />
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={t`Time zone`}
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
