import "./matrix.css";
import "./cellEditors.css";
import "./MatrixAccordion.css";
import { plural, t } from "@lingui/core/macro";
import { isCounted, unlimited } from "@purser/contract/fields/values";
import { unlimitedLabel } from "#lib/labels/featureValues.ts";
import { Icon, Tile } from "../Icon.tsx";
import type { GridProps } from "./grid/useGrid.ts";
import {
  type Content,
  contentOf,
  type Edit,
  isIncluded,
  isInvalid,
  isPerUnit,
  type MatrixFeature,
  storedOf,
} from "./sheet/cells.ts";
import { clipboardText, parseContent } from "./sheet/clipboard.ts";
import { contentLabels, unitLabels } from "./sheet/labels.ts";
import { isFeatureRow, type Row } from "./sheet/rows.ts";

type EditorProps = {
  feature: MatrixFeature;
  content: Content;
  onSet: (content: Content) => void;
};

const Toggle = ({ feature, content, onSet }: EditorProps) => {
  const isOn = (isInvalid(content) ? null : content) ?? feature.defaultValue;
  return (
    <button
      type="button"
      className="matrix-switch"
      role="switch"
      aria-checked={isOn === true}
      aria-label={feature.name}
      onClick={() => onSet(isOn !== true)}
    >
      <span className="matrix-track" />
      <span data-default={content === null || undefined}>{contentLabels(feature, content)}</span>
    </button>
  );
};

const Options = ({ feature, content, onSet }: EditorProps) => (
  <span className="matrix-select">
    <select
      aria-label={feature.name}
      value={content === null || isInvalid(content) ? "" : String(content)}
      onChange={({ currentTarget: { value } }) => onSet(value === "" ? null : value)}
    >
      <option value="">{contentLabels(feature, null)}</option>
      {feature.options.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
    <Icon name="selector" size={14} />
  </span>
);

const Amount = ({ feature, content, onSet }: EditorProps) => {
  const shown = clipboardText(content);
  const value = isInvalid(content) ? 0 : (content ?? feature.defaultValue);
  return (
    <>
      <input
        // A value changed from outside resets the field.
        key={shown}
        className="matrix-field"
        data-editor
        inputMode="numeric"
        autoComplete="off"
        aria-label={feature.name}
        aria-invalid={isInvalid(content)}
        defaultValue={shown}
        placeholder={clipboardText(feature.defaultValue)}
        onBlur={({ currentTarget }) => onSet(parseContent(feature, currentTarget.value))}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
      />
      <span className="matrix-unit">
        {unitLabels(feature, value)}
        {content === null && <i> {t`(default)`}</i>}
      </span>
      {content !== unlimited && (
        <button type="button" className="quiet-link" onClick={() => onSet(unlimited)}>
          {unlimitedLabel}
        </button>
      )}
    </>
  );
};

type CellProps = EditorProps & {
  edit: Edit | undefined;
  code: string;
  mayEdit: boolean;
  /** Whether the value is multiplied by the quantity. */
  perUnit: boolean;
  onPerUnit: (perUnit: boolean) => void;
  onRevert: () => void;
};

const PerUnit = ({
  feature,
  perUnit,
  onPerUnit,
}: Pick<CellProps, "feature" | "perUnit" | "onPerUnit">) => (
  <label className="matrix-per-unit">
    <input
      type="checkbox"
      className="box"
      aria-label={t`Multiply ${{ name: feature.name }} by quantity`}
      checked={perUnit}
      onChange={() => onPerUnit(!perUnit)}
    />
    {t`Multiplied by quantity`}
  </label>
);

const Cell = ({
  feature,
  content,
  edit,
  code,
  mayEdit,
  perUnit,
  onSet,
  onPerUnit,
  onRevert,
}: CellProps) => (
  <li className="matrix-card" data-changed={edit !== undefined || undefined}>
    {/* Changes must not resize it: content below stays in place under the finger. */}
    <div className="matrix-card-name">
      <div>
        <span className="matrix-name">{feature.name}</span>
        {isInvalid(content) ? (
          <span className="matrix-why">
            <Icon name="alert-circle" size={14} /> {content.why}
          </span>
        ) : (
          <span className="matrix-code">{code}</span>
        )}
      </div>
      {edit && (
        <span className="matrix-was">
          <s>{contentLabels(feature, edit.was)}</s>
          <button
            type="button"
            className="matrix-back"
            aria-label={t`Revert ${{ name: feature.name }}`}
            onClick={onRevert}
          >
            <Icon name="arrow-back-up" />
          </button>
        </span>
      )}
    </div>
    {mayEdit ? (
      <div className="matrix-edit">
        {feature.kind === "switch" && <Toggle feature={feature} content={content} onSet={onSet} />}
        {feature.kind === "choice" && <Options feature={feature} content={content} onSet={onSet} />}
        {isCounted(feature) && <Amount feature={feature} content={content} onSet={onSet} />}
        {isCounted(feature) && typeof content === "number" && (
          <PerUnit feature={feature} perUnit={perUnit} onPerUnit={onPerUnit} />
        )}
      </div>
    ) : (
      <p data-default={content === null || undefined}>{contentLabels(feature, content)}</p>
    )}
  </li>
);

const Head = ({ grid, row }: { grid: GridProps; row: Extract<Row, { feature: null }> }) => {
  const { sheet, changed, mayEdit, onFold, onApply, hrefOf } = grid;
  const { app, isOpen } = row;
  const { name } = app;
  const isIn = isIncluded(sheet, app);
  const amount = changed.get(app.id) ?? 0;
  return (
    <div className="matrix-card-head" data-out={!isIn || undefined}>
      <h2>
        <button type="button" aria-expanded={isOpen} onClick={() => onFold(app.id)}>
          <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />
          <Tile icon={app.icon} size={20} />
          <b>{app.name}</b>
        </button>
      </h2>
      <span className="softer">
        {plural(app.features.length, { one: "# feature", other: "# features" })}
      </span>
      {amount > 0 && (
        <span className="matrix-changed">{plural(amount, { other: "# changed" })}</span>
      )}
      <span className="spacer" />
      {mayEdit && (
        <button
          type="button"
          className="quiet-link"
          aria-label={isIn ? t`Remove ${name}` : t`Add ${name}`}
          onClick={() => onApply({ apps: [[app.id, !isIn]] })}
        >
          {isIn ? t`Remove` : t`Add`}
        </button>
      )}
      <a className="quiet-link" href={hrefOf(app.id)} aria-label={t`Open app ${name}`}>
        {t`Open`}
      </a>
    </div>
  );
};

/** The matrix on narrow screens: app by app, without the other packages. */
export const MatrixAccordion = (props: GridProps) => {
  const { rows, sheet, mayEdit, onApply } = props;
  const sections = rows.filter((row) => !isFeatureRow(row));
  return sections.map((head) => (
    <section key={head.key} className="matrix-section">
      {head.feature === null && <Head grid={props} row={head} />}
      <ul>
        {rows
          .filter(isFeatureRow)
          .filter(({ app }) => app.id === head.key)
          .map(({ key, app, feature }) => (
            <Cell
              key={key}
              feature={feature}
              code={`${app.code}.${feature.code}`}
              content={contentOf(sheet, key)}
              edit={sheet.cells.get(key)}
              mayEdit={mayEdit}
              perUnit={isPerUnit(sheet, key)}
              onPerUnit={(perUnit) => onApply({ units: [[key, perUnit]] })}
              onSet={(content) => onApply({ cells: [[key, content]] })}
              onRevert={() => onApply({ cells: [[key, storedOf(sheet, key)]] })}
            />
          ))}
      </ul>
    </section>
  ));
};
