import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Icon, Tile } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { appStatus } from "#ui/record/appStatus.ts";
import { Status } from "#ui/Status.tsx";
import type { User } from "../queries.ts";
import { hasAccess, type Part, partsOf } from "./entitlementRows.ts";
import { fromOf, reasonLabels, useOf, valueLabel } from "./labels.ts";
import type { Explained } from "./queries.ts";
import type { Denied } from "./useDenied.ts";
import { useRowsInView } from "./useRowsInView.ts";
import { useShown } from "./useShown.ts";
import { ValueExplanation } from "./ValueExplanation.tsx";
import { WhyNot } from "./WhyNot.tsx";

const Value = ({ item }: { item: Explained }) => {
  const { feature, value, limit, used, resetsAt } = item;
  const use = useOf(item);
  const { name } = item.feature;
  return (
    <div className="amount">
      <span className="value">
        {typeof value === "boolean" && <Icon name={value ? "check" : "x"} size={14} />}
        {valueLabel(feature, value)}
      </span>
      {use && (
        <span className="use">
          {limit !== null && used !== null && (
            <meter
              min={0}
              max={limit}
              low={limit * 0.75}
              high={limit * 0.999}
              optimum={0}
              value={Math.min(used, limit)}
              aria-label={t`${name}: ${use}`}
            />
          )}
          <span>
            {use}
            {resetsAt && (
              <>
                {" · "}
                <Trans>
                  Resets <Day at={resetsAt} />
                </Trans>
              </>
            )}
          </span>
        </span>
      )}
    </div>
  );
};

const Until = ({ item: { until, lines } }: { item: Explained }) => {
  const isGiven = lines.some(({ isApplied }) => isApplied);
  if (!until) return isGiven ? t`No end date` : "–";
  const { at, isRenewal } = until;
  if (isRenewal)
    return (
      <Trans>
        Renews <Day at={at} />
      </Trans>
    );
  return isGiven ? (
    <Trans>
      Ends <Day at={at} />
    </Trans>
  ) : (
    <Trans>
      Changes <Day at={at} />
    </Trans>
  );
};

type Denial = { count: number; lastAt: string };

/** A feature that the customer doesn't have but wanted, and what helps. */
const DeniedCell = ({ item, user, denied }: { item: Explained; user: User; denied: Denial }) => {
  const { feature, reason } = item;
  return (
    <td colSpan={3} className="denied">
      <span className="value">
        <Icon name="x" size={14} />
        {t`Not included`}
      </span>
      <span className="soft">
        {`${reasonLabels[reason]} · `}
        {plural(denied.count, { one: "Denied # time", other: "Denied # times" })} ·{" "}
        <Moment at={denied.lastAt} />
      </span>
      <WhyNot feature={feature} user={user} />
    </td>
  );
};

type RowProps = {
  item: Explained;
  user: User;
  /** If apps denied it lately. */
  denied: Denial | undefined;
  /** Among all features, for the keyboard. */
  place: number;
  part: number;
  rowIndex: number;
  isOpen: boolean;
  onToggle: () => void;
};

const Row = ({ item, user, denied, place, part, rowIndex, isOpen, onToggle }: RowProps) => {
  const { feature, allowed } = item;
  const { name } = feature;
  const detail = `how-${feature.id}`;
  return (
    <>
      <tr
        data-part={part}
        data-place={place}
        aria-rowindex={rowIndex}
        {...(!allowed && { "data-off": true })}
      >
        <th scope="row">{feature.name}</th>
        {denied ? (
          <DeniedCell item={item} user={user} denied={denied} />
        ) : (
          <>
            <td className="value-cell">
              <Value item={item} />
            </td>
            <td className="value-source">{fromOf(item)}</td>
            <td className="value-until">
              <Until item={item} />
            </td>
          </>
        )}
        <td className="opener">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={detail}
            aria-label={t`How ${name} is calculated`}
            data-tip={isOpen ? t`Hide calculation` : t`Show calculation`}
            onClick={onToggle}
            onKeyDown={({ key }) => {
              if (key === (isOpen ? "ArrowLeft" : "ArrowRight")) onToggle();
            }}
          >
            <Icon name="chevron-down" size={16} />
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr className="opened" id={detail} data-part={part}>
          <td colSpan={columnCount}>
            <ValueExplanation item={item} />
            {!(denied || hasAccess(item)) && <WhyNot feature={item.feature} user={user} />}
          </td>
        </tr>
      )}
    </>
  );
};

/** With the button that opens a row. */
const columnCount = 5;
const columns = [t`Feature`, t`Value`, t`Source`, t`Until`];

const AppRow = ({ app }: { app: Explained["app"] }) => (
  <th scope="rowgroup" colSpan={columnCount}>
    <span>
      <Tile icon={app.icon} size={20} />
      {app.name}
      {(app.suspendedAt !== null || app.status === "archived") && (
        <Status status={appStatus(app)} />
      )}
    </span>
  </th>
);

/** Tables with more features render only those near the window. */
const renderAllMax = 100;

const targets: Record<string, ((place: number, last: number) => number) | undefined> = {
  ArrowDown: (place, last) => Math.min(place + 1, last),
  ArrowUp: (place) => Math.max(place - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

const placeOf = (target: EventTarget) =>
  target instanceof Element
    ? Number(target.closest("tr")?.getAttribute("data-place") ?? Number.NaN)
    : Number.NaN;

/** Moves between the features by keyboard. The one with the focus is rendered wherever the window is. */
const useFocusedRow = (table: RefObject<HTMLTableElement | null>, count: number) => {
  const [focused, setFocused] = useState<number | null>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (wanted === null) return;
    const row = table.current?.querySelector(`tr[data-place="${wanted}"]`);
    row?.querySelector("button")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
    setWanted(null);
  }, [table, wanted]);
  return {
    focused,
    onFocus: ({ target }: { target: EventTarget }) => {
      const place = placeOf(target);
      setFocused(Number.isNaN(place) ? null : place);
    },
    onBlur: () => setFocused(null),
    onKeyDown: (event: KeyboardEvent) => {
      const place = placeOf(event.target);
      const next = targets[event.key]?.(place, count - 1);
      if (next === undefined || Number.isNaN(place)) return;
      event.preventDefault();
      setFocused(next);
      setWanted(next);
    },
  };
};

type RowsProps = { part: Part; number: number; before: number; user: User; denied: Denied };

/** The features of a part. Rows are counted with those of the apps before it. */
const Rows = ({ part, number: own, before, user, denied }: RowsProps) => {
  const { opened, toggle } = useShown();
  const { app, isFirst, items, from } = part;
  return (
    <>
      {isFirst && (
        <tr className="app-row" data-part={own} aria-rowindex={before + from + 1}>
          <AppRow app={app} />
        </tr>
      )}
      {items.map((item, place) => (
        <Row
          key={item.feature.id}
          item={item}
          user={user}
          denied={denied.get(item.feature.id)}
          place={from + place}
          part={own}
          rowIndex={before + from + place + 2}
          isOpen={opened.includes(item.feature.id)}
          onToggle={() => toggle(item.feature.id)}
        />
      ))}
    </>
  );
};

type TableProps = { items: Explained[]; user: User; denied: Denied };

/** Features with their values, by app. Companies can have thousands. */
export const EntitlementTable = ({ items, user, denied }: TableProps) => {
  const table = useRef<HTMLTableElement>(null);
  const parts = partsOf(items);
  const { view, heightAt } = useRowsInView(table, parts);
  const { focused, ...focus } = useFocusedRow(table, items.length);
  const isWhole = items.length <= renderAllMax;
  const isRendered = (part: Part, place: number) =>
    isWhole ||
    (place >= view.first && place <= view.last) ||
    (focused !== null && focused >= part.from && focused < part.from + part.items.length);
  const apps = [...Map.groupBy(parts.entries(), ([, { app }]) => app.id).values()];
  return (
    <div className="scroll-x">
      <table
        className="plain-table access"
        ref={table}
        data-whole={isWhole}
        aria-rowcount={items.length + apps.length + 1}
        {...focus}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span className="unseen">{t`Calculation`}</span>
            </th>
          </tr>
        </thead>
        {apps.map((own, place) => (
          <tbody key={own[0]?.[1].app.id}>
            {own.map(([number, part]) =>
              isRendered(part, number) ? (
                <Rows
                  key={part.from}
                  part={part}
                  number={number}
                  before={place + 1}
                  user={user}
                  denied={denied}
                />
              ) : (
                <tr key={part.from}>
                  <td
                    className="row-gap"
                    colSpan={columnCount}
                    style={{ height: heightAt(part) }}
                  />
                </tr>
              ),
            )}
          </tbody>
        ))}
      </table>
    </div>
  );
};
