import "./columnChoices.css";
import { t } from "@lingui/core/macro";
import { ActionIcon } from "@mantine/core";
import { useEffect, useState } from "react";
import { number } from "#lib/intl.ts";
import { Icon } from "#ui/Icon.tsx";
import type { ChosenColumn, ColumnState } from "./columns.ts";
import { widthMax, widthMin, widthStep, widthWithin } from "./widths.ts";

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
    const next = widthWithin(Number(typed));
    setTyped(String(Number.isFinite(next) ? next : width));
    if (Number.isFinite(next) && next !== width) void change(id, { width: next, fixed: true });
  }
};

/** Column visibility, order, width and pinning, all usable by keyboard. */
export const ColumnChoices = <Row,>({ state }: { state: ColumnState<Row> }) => {
  const { chosen, reset } = state;
  const visible = number(chosen.filter(({ hidden }) => !hidden).length);
  const all = number(chosen.length);
  return (
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
    </>
  );
};
