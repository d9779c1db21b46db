import { Button } from "@mantine/core";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import { Suspense, useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { ListFile, Total } from "../declaration.ts";

const ExportDialog = part(async () => (await import("./ExportDialog.tsx")).ExportDialog);

type Props = {
  file: ListFile;
  many: string;
  search: ListSearch;
  columns: string[];
  total: Total | null;
  selected: () => string[];
};

/** Takes what is on screen away as a file. What is selected counts when the button is pressed. */
export const Export = ({ selected, ...list }: Props) => {
  const [chosen, setChosen] = useState<string[] | null>(null);
  return (
    <>
      <Button
        variant="default"
        className="wide-only"
        leftSection={<Icon name="download" />}
        onClick={() => setChosen(selected())}
      >
        Export
      </Button>
      <Suspense>
        {chosen && <ExportDialog {...list} selected={chosen} onClose={() => setChosen(null)} />}
      </Suspense>
    </>
  );
};
