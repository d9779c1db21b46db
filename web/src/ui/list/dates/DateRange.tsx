import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { partsOf } from "../filters/filterLabels.ts";

const RangeForm = part(async () => (await import("./RangeForm.tsx")).RangeForm);

type Props = {
  field: string;
  label: string;
  /** The filter in use, and its sentence. */
  filter: string | undefined;
  sentence: string | undefined;
  onChange: (filter: string | null) => void;
};

/** The range of the list's main date. */
export const DateRange = ({ field, label, filter, sentence, onChange }: Props) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="dialog"
      label={t`Date range`}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-start"
      width={716}
      trigger={
        <Button
          variant="default"
          className="date-range"
          leftSection={<Icon name="calendar" />}
          rightSection={<Icon name="chevron-down" size={14} />}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {sentence ?? label}
        </Button>
      }
    >
      {(close) => (
        <RangeForm
          given={filter ? partsOf(filter) : null}
          onCancel={close}
          onApply={(next) => {
            close();
            onChange(next && `${field}:${next}`);
          }}
        />
      )}
    </Popup>
  );
};
