import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import type { SaveViewProps } from "./SaveViewForm.tsx";

// Loaded on demand, because most visits don't save a view.
const SaveViewForm = part(async () => (await import("./SaveViewForm.tsx")).SaveViewForm);

/** Saves the current filters as a view, or edits a saved one. */
export const SaveView = (props: SaveViewProps) => {
  const [isOpen, setOpen] = useState(false);
  const label = props.current ? t`Edit view ${{ name: props.current.name }}` : t`Save view`;
  return (
    <Popup
      kind="dialog"
      label={label}
      opened={isOpen}
      onClose={() => setOpen(false)}
      place="bottom-start"
      width={280}
      trigger={
        <button
          type="button"
          className="tab-action"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          {...(props.current && { "aria-label": label })}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={props.current ? "dots" : "plus"} size={14} />
          {!props.current && t`Save view`}
        </button>
      }
    >
      {(close) => <SaveViewForm {...props} onDone={close} />}
    </Popup>
  );
};
