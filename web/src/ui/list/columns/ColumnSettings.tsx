import { t } from "@lingui/core/macro";
import { ActionIcon, Button } from "@mantine/core";
import { densities } from "@purser/contract/workspace/preferences";
import { useEffect, useState } from "react";
import { number } from "#lib/intl.ts";
import { densityLabels, updatePreferences, usePreferences } from "#lib/session/preferences.ts";
import { Icon } from "#ui/Icon.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { attempt } from "#ui/popups/toast.ts";
import type { ChosenColumn, ColumnState } from "./columns.ts";

const widthStep = 16;
const widthMin = 64;
const widthMax = 800;

const OneColumn = <Row,>({
  column,
  place,
  last,
  state: { change, move },
}: {
  column: ChosenColumn<Row>;
  place: number;
  last: number;
  state: ColumnState<Row>;
}) => {
  const { id, label, hidden, width, pin } = column;
  const isFirst = place === 0;
  const [typed, setTyped] = useState(String(width));
  useEffect(() => setTyped(String(width)), [width]);
  return (
    <li className="column-choice">
      <label>
        <input
          type="checkbox"
          className="box"
          checked={!hidden}
          disabled={isFirst}
          onChange={() => change(id, { hidden: !hidden })}
        />
        <span>{label}</span>
      </label>
      <span className="spacer" />
      <ActionIcon
        aria-label={t`Move ${label} up`}
        aria-disabled={place <= 1}
        onClick={() => place > 1 && move(id, -1)}
      >
        <Icon name="arrow-up" size={14} />
      </ActionIcon>
      <ActionIcon
        aria-label={t`Move ${label} down`}
        aria-disabled={isFirst || place === last}
        onClick={() => !isFirst && place < last && move(id, 1)}
      >
        <Icon name="arrow-down" size={14} />
      </ActionIcon>
      <ActionIcon
        aria-label={t`Pin ${label}`}
        aria-pressed={pin !== undefined}
        onClick={() => change(id, { pin: pin ? undefined : "left" })}
      >
        <Icon name={pin ? "pin-filled" : "pin"} size={14} />
      </ActionIcon>
      <input
        type="number"
        className="column-width"
        aria-label={t`Width of ${label} in pixels`}
        min={widthMin}
        max={widthMax}
        step={widthStep}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        onBlur={keepWidth}
        onKeyDown={({ key }) => key === "Enter" && keepWidth()}
      />
    </li>
  );

  function keepWidth() {
    const next = Math.min(widthMax, Math.max(widthMin, Math.round(Number(typed))));
    setTyped(String(Number.isFinite(next) ? next : width));
    if (Number.isFinite(next) && next !== width) void change(id, { width: next, fixed: true });
  }
};

const Density = () => {
  const { density } = usePreferences();
  return (
    <div className="popover-foot">
      <span className="soft">{t`Row height`}</span>
      <span className="spacer" />
      <div className="segments">
        {densities.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={density === one}
            onClick={() => attempt(() => updatePreferences({ density: one }))}
          >
            {densityLabels[one]}
          </button>
        ))}
      </div>
    </div>
  );
};

/** Column visibility, order, width and pinning, all usable by keyboard. */
export const ColumnSettings = <Row,>({ state }: { state: ColumnState<Row> }) => {
  const [opened, setOpened] = useState(false);
  const { chosen, reset } = state;
  const visible = number(chosen.filter(({ hidden }) => !hidden).length);
  const all = number(chosen.length);
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
      {() => (
        <>
          <div className="popover-head">
            <b>{t`Columns`}</b>
            <span className="softer">{t`${visible} of ${all}`}</span>
            <span className="spacer" />
            <button type="button" className="quiet-link" onClick={reset}>
              {t`Reset`}
            </button>
          </div>
          <ul>
            {chosen.map((column, place) => (
              <OneColumn
                key={column.id}
                column={column}
                place={place}
                last={chosen.length - 1}
                state={state}
              />
            ))}
          </ul>
          <Density />
        </>
      )}
    </Popup>
  );
};
