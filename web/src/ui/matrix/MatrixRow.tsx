import { plural, t } from "@lingui/core/macro";
import { memo } from "react";
import { series } from "#lib/intl.ts";
import { lifecycleStatusNames } from "#lib/labels/lifecycle.ts";
import { Icon, Tile } from "../Icon.tsx";
import { DraftCell } from "./DraftCell.tsx";
import {
  type Content,
  type Edit,
  isInvalid,
  type MatrixApp,
  type MatrixFeature,
} from "./sheet/cells.ts";
import type { Column } from "./sheet/columns.ts";
import { contentLabels, onSaleLabel, otherLabel, shortLabels } from "./sheet/labels.ts";

type FeatureProps = {
  index: number;
  app: MatrixApp;
  feature: MatrixFeature;
  columns: readonly Column[];
  content: Content;
  /** Whether the value is multiplied by the quantity. */
  perUnit: boolean;
  edit: Edit | undefined;
  /** The focused column, or -1. */
  focus: number;
  /** The selected columns, or -1. */
  from: number;
  to: number;
  typed: string | null;
  mayEdit: boolean;
  hasSale: boolean;
};

/** The accessible name of a cell: feature, app, package, value, state. */
const nameOf = (props: FeatureProps, column: Column) => {
  const { app, feature, content, edit, perUnit, hasSale } = props;
  const parts = [feature.name, app.name, column.name];
  if (column.note) parts.push(column.note);
  parts.push(
    column.kind === "other"
      ? otherLabel(feature, feature.others[column.place] ?? null)
      : contentLabels(feature, content),
  );
  if (column.kind === "draft" && perUnit && typeof content === "number")
    parts.push(t`multiplied by quantity`);
  if (column.kind === "draft" && isInvalid(content)) parts.push(t`invalid`);
  if (column.kind === "draft" && edit) {
    const before = contentLabels(feature, edit.was);
    parts.push(t`changed from ${before}`);
  } else if (column.kind === "draft" && hasSale && content !== feature.onSale)
    parts.push(onSaleLabel(feature));
  return series(parts);
};

const OtherCell = (props: FeatureProps & { column: Extract<Column, { kind: "other" }> }) => {
  const { feature, column } = props;
  const value = feature.others[column.place] ?? null;
  return (
    <span data-default={value === null || undefined}>
      {shortLabels(feature, value ?? feature.defaultValue)}
    </span>
  );
};

const LockedCell = ({ feature, content, perUnit }: FeatureProps) => (
  <span data-default={content === null || undefined}>
    {contentLabels(feature, content)}
    {perUnit && typeof content === "number" && ` ${t`× quantity`}`}
  </span>
);

const Cells = (props: FeatureProps) => {
  const { feature, columns, content, edit, focus, from, to, mayEdit } = props;
  return columns.map((column, col) => {
    if (column.kind === "feature") return null;
    const isDraft = column.kind === "draft";
    const whyId = `why-${feature.id}`;
    return (
      // biome-ignore lint/a11y/useAriaPropsSupportedByRole: A td in a treegrid has the role gridcell, which supports them.
      <td
        key={column.id}
        data-col={col}
        data-kind={column.kind}
        tabIndex={focus === col ? 0 : -1}
        aria-colindex={col + 1}
        aria-label={nameOf(props, column)}
        aria-readonly={!isDraft || !mayEdit}
        aria-selected={col >= from && col <= to}
        {...(isDraft && isInvalid(content) && { "aria-invalid": true, "aria-describedby": whyId })}
        {...(isDraft && edit && { "data-changed": true })}
      >
        {column.kind === "other" && <OtherCell {...props} column={column} />}
        {isDraft && !mayEdit && <LockedCell {...props} />}
        {isDraft && mayEdit && <DraftCell {...props} isFocused={focus === col} whyId={whyId} />}
      </td>
    );
  });
};

const Feature = (props: FeatureProps) => {
  const { index, app, feature, focus, from } = props;
  return (
    <tr data-key={feature.id} aria-level={2} aria-rowindex={index + 2} className="matrix-row">
      <th
        scope="row"
        data-col={0}
        tabIndex={focus === 0 ? 0 : -1}
        aria-colindex={1}
        aria-selected={from === 0}
      >
        <span className="matrix-name">
          {feature.name}
          {feature.status !== "active" && <em> {lifecycleStatusNames[feature.status]}</em>}
        </span>
        <span className="matrix-code">
          {app.code}.{feature.code}
        </span>
      </th>
      <Cells {...props} />
    </tr>
  );
};

/** Re-rendered only if its own props changed. */
export const FeatureRow = memo(Feature);

type AppProps = {
  index: number;
  app: MatrixApp;
  cols: number;
  /** The focused part of the row: 0 for the row, then its buttons; -1 for none. */
  focus: number;
  isIn: boolean;
  isOpen: boolean;
  changed: number;
  isPicked: boolean;
  mayEdit: boolean;
  href: string;
};

const stateLabels = ({ app, isIn, isPicked }: AppProps) => {
  if (isIn) return isPicked ? t`added` : "";
  if (app.included) return t`removed`;
  return app.onSale ? t`on sale, not in this draft` : t`not in this package`;
};

const App = (props: AppProps) => {
  const { index, app, cols, focus, isIn, isOpen, changed, mayEdit, href } = props;
  const { name } = app;
  const state = stateLabels(props);
  return (
    <tr
      data-key={app.id}
      aria-level={1}
      aria-rowindex={index + 2}
      aria-expanded={isIn ? isOpen : undefined}
      className="matrix-app"
      data-out={!isIn || undefined}
    >
      <th scope="row" colSpan={cols} data-col={0} tabIndex={focus === 0 ? 0 : -1} aria-colindex={1}>
        <div className="matrix-app-line">
          <span className="matrix-app-head" data-action="fold">
            <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />
            <Tile icon={app.icon} size={20} />
            <b>{app.name}</b>
            <span className="softer">
              {plural(app.features.length, { one: "# feature", other: "# features" })}
            </span>
            {state && <span className="matrix-state">{state}</span>}
            {isIn && changed > 0 && (
              <span className="matrix-changed">{plural(changed, { other: "# changed" })}</span>
            )}
          </span>
          <span className="spacer" />
          {mayEdit && (
            <button
              type="button"
              className="quiet-link"
              data-action="in"
              tabIndex={focus === 2 ? 0 : -1}
              aria-label={isIn ? t`Remove ${name}` : t`Add ${name}`}
            >
              {isIn ? t`Remove` : t`Add`}
            </button>
          )}
          <a
            className="quiet-link"
            href={href}
            data-action="open"
            tabIndex={focus === 1 ? 0 : -1}
            aria-label={t`Open app ${name}`}
          >
            {t`Open app`}
          </a>
        </div>
      </th>
    </tr>
  );
};

export const AppRow = memo(App);
