import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { ListFile, Total } from "../declaration.ts";

const ExportDialog = part(async () => (await import("./ExportDialog.tsx")).ExportDialog);

type Props = {
  file: ListFile;
  title: string;
  search: ListSearch;
  columns: string[];
  total: Total | null;
  selected: () => string[];
};

/** Exports the list as a file. The selection is read when the button is clicked. */
export const ExportButton = ({ selected, ...list }: Props) => {
  const [chosen, setChosen] = useState<string[] | null>(null);
  if (!useMay(list.file.permission)) return null;
  return (
    <>
      <Button
        variant="default"
        className="wide-only"
        leftSection={<Icon name="download" />}
        onClick={() => setChosen(selected())}
      >
        {t`Export`}
      </Button>
      <Suspense>
        {chosen && <ExportDialog {...list} selected={chosen} onClose={() => setChosen(null)} />}
      </Suspense>
    </>
  );
};
