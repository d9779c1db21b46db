import { t } from "@lingui/core/macro";
import { isCounted, unlimited, type Value } from "@purser/contract/fields/values";
import { useLayoutEffect, useRef } from "react";
import { unlimitedLabel } from "#lib/labels/featureValues.ts";
import { Icon } from "../Icon.tsx";
import { keysText } from "../Keys.tsx";
import { type Content, type Edit, isInvalid, type MatrixFeature } from "./sheet/cells.ts";
import { contentLabels, fieldText, onSaleLabel, unitLabels } from "./sheet/labels.ts";

type Props = {
  feature: MatrixFeature;
  content: Content;
  /** Whether the value is multiplied by the quantity. */
  perUnit: boolean;
  edit: Edit | undefined;
  /** The editor's initial text, or null while not editing. */
  typed: string | null;
  isFocused: boolean;
  /** Whether there is a version on sale to compare with. */
  hasSale: boolean;
  whyId: string;
};

type FieldProps = Pick<Props, "feature" | "content" | "typed" | "perUnit">;

// The cell has the accessible name, state and keys; its content is only visual. Text next to the
// value comes from `data-words`, so the cell's text is its value alone.

const SwitchField = ({ feature, content }: FieldProps) => {
  const isOn = (isInvalid(content) ? null : content) ?? feature.defaultValue;
  return (
    <span
      className="matrix-switch"
      aria-hidden="true"
      data-action="toggle"
      data-on={isOn === true || undefined}
    >
      <span className="matrix-track" />
      <span data-default={content === null || undefined}>{contentLabels(feature, content)}</span>
    </span>
  );
};

const OptionList = ({ feature, content }: FieldProps) => {
  const list = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    list.current?.focus();
    try {
      list.current?.showPicker();
    } catch {
      // The arrow keys still change it.
    }
  }, []);
  return (
    <select
      ref={list}
      aria-label={feature.name}
      value={content === null || isInvalid(content) ? "" : String(content)}
      onChange={() => undefined}
    >
      <option value="">{contentLabels(feature, null)}</option>
      {feature.options.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
};

const ChoiceField = (props: FieldProps) => {
  const { feature, content, typed } = props;
  return (
    <span className="matrix-select" data-default={content === null || undefined}>
      {typed === null ? (
        <span className="matrix-field" aria-hidden="true" data-action="edit">
          {contentLabels(feature, content)}
        </span>
      ) : (
        <OptionList {...props} />
      )}
      <Icon name="selector" size={14} />
    </span>
  );
};

const Editor = ({ feature, typed }: { feature: MatrixFeature; typed: string }) => (
  <input
    className="matrix-field"
    data-editor
    aria-label={feature.name}
    defaultValue={typed}
    inputMode="numeric"
    autoComplete="off"
    spellCheck={false}
    // biome-ignore lint/a11y/noAutofocus: an editor opening in a cell takes over its focus.
    autoFocus
  />
);

const AmountField = ({ feature, content, typed, perUnit }: FieldProps) => {
  const shown = isInvalid(content) ? content.typed : fieldText(content ?? feature.defaultValue);
  const value: Value = isInvalid(content) ? 0 : (content ?? feature.defaultValue);
  return (
    <>
      {typed === null ? (
        <span
          className="matrix-field"
          aria-hidden="true"
          data-action="edit"
          data-default={content === null || undefined}
        >
          {shown}
        </span>
      ) : (
        <Editor feature={feature} typed={typed} />
      )}
      {!isInvalid(content) && (
        <span className="matrix-unit" aria-hidden="true">
          {` ${unitLabels(feature, value)}`}
          {content === null && <i> {t`(default)`}</i>}
          {perUnit && typeof content === "number" && ` ${t`× quantity`}`}
        </span>
      )}
    </>
  );
};

/** Buttons for keyboard actions, shown at the focused cell. */
const Offers = ({ feature, content, perUnit }: Pick<Props, "feature" | "content" | "perUnit">) => (
  <span className="matrix-offers" aria-hidden="true">
    {isCounted(feature) && content !== unlimited && (
      <span data-action="unlimited" data-tip={t`Unlimited (U)`} data-words={unlimitedLabel} />
    )}
    {isCounted(feature) && typeof content === "number" && (
      <span
        data-action="perUnit"
        data-on={perUnit || undefined}
        data-tip={perUnit ? t`Don't multiply by quantity (Q)` : t`Multiply by quantity (Q)`}
        data-words={t`× quantity`}
      />
    )}
    {content !== null && (
      <span data-action="default" data-tip={t`Reset to default (Delete)`} data-words={t`Default`} />
    )}
  </span>
);

const revertKeys = keysText("mod+backspace");

type WasProps = { feature: MatrixFeature; edit: Edit; hasOffers: boolean };

/** The stored value, for which there is no space beside the buttons of the focused cell. */
const Was = ({ feature, edit, hasOffers }: WasProps) => (
  <span className="matrix-was" aria-hidden="true">
    {!hasOffers && !isInvalid(edit.now) && <s data-words={contentLabels(feature, edit.was)} />}
    <span
      className="matrix-back"
      data-action="revert"
      data-tip={t`Revert (${{ keys: revertKeys }})`}
    >
      <Icon name="arrow-back-up" />
    </span>
  </span>
);

const Aside = ({ feature, content, edit, isFocused, hasSale, whyId }: Props) => (
  <>
    {isInvalid(content) && (
      <span className="matrix-why" aria-hidden="true">
        <Icon name="alert-circle" size={14} />
        <span data-words={content.why} />
        <span id={whyId} className="unseen">
          {content.why}
        </span>
      </span>
    )}
    {edit && <Was feature={feature} edit={edit} hasOffers={isFocused && content !== null} />}
    {!edit && hasSale && content !== feature.onSale && (
      <span className="matrix-sale" aria-hidden="true" data-words={onSaleLabel(feature)} />
    )}
  </>
);

/** The cell's editor for its kind of feature, with the stored value and an undo button. */
export const DraftCell = (props: Props) => {
  const { feature, content, perUnit, isFocused } = props;
  return (
    <div className="matrix-edit">
      {feature.kind === "switch" && <SwitchField {...props} />}
      {feature.kind === "choice" && <ChoiceField {...props} />}
      {isCounted(feature) && <AmountField {...props} />}
      <span className="spacer" />
      {isFocused && !isInvalid(content) && (
        <Offers feature={feature} content={content} perUnit={perUnit} />
      )}
      <Aside {...props} />
    </div>
  );
};
