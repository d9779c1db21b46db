import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import type { ColumnChoices as ColumnChoicesType } from "./ColumnChoices.tsx";
import type { ColumnState } from "./columns.ts";

const ColumnChoices = part(
  async () => (await import("./ColumnChoices.tsx")).ColumnChoices,
) as typeof ColumnChoicesType;

export const ColumnSettings = <Row,>({ state }: { state: ColumnState<Row> }) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="dialog"
      label={t`Columns`}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-end"
      width={360}
      trigger={
        <Button
          variant="default"
          leftSection={<Icon name="columns-3" />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {t`Columns`}
        </Button>
      }
    >
      {() => <ColumnChoices state={state} />}
    </Popup>
  );
};
