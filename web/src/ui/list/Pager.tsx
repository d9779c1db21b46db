import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, NativeSelect } from "@mantine/core";
import { lastNumberedPage, sizes, usualSize } from "@purser/contract/pages/listSearch";
import { type ReactNode, Suspense, useState } from "react";
import { number } from "#lib/intl.ts";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";
import { part } from "../page/lazyPart.tsx";
import type { ListTexts, Page, Total } from "./declaration.ts";
import { firstPage, type ListState } from "./listSearch.ts";

const GoTo = part(async () => (await import("./dates/GoTo.tsx")).GoTo);

/** A total, marked if it is an estimate or a lower bound. */
export const totalLabels = ({ count, kind }: Total) => {
  const total = number(count);
  return {
    exact: total,
    "at least": t`${total}+`,
    about: t`about ${total}`,
  }[kind];
};

const linksAround = 5;

/** Up to five pages around the current one. */
const pagesAround = (page: number, last: number) => {
  const from = Math.max(1, Math.min(page - 2, last - linksAround + 1));
  const to = Math.min(last, from + linksAround - 1);
  return Array.from({ length: to - from + 1 }, (_, place) => from + place);
};

const Step = ({
  label,
  icon,
  disabled,
  onClick,
}: {
  label: string;
  icon: IconName;
  disabled: boolean;
  onClick: () => void;
}) => (
  <Button
    variant="default"
    className="pager-step"
    aria-label={label}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </Button>
);

const PageSize = ({ size, onChange }: { size: number; onChange: ListState["go"] }) => (
  <NativeSelect
    className="wide-only"
    aria-label={t`Rows per page`}
    value={String(size)}
    onChange={({ currentTarget: { value } }) =>
      onChange({
        size: value === usualSize ? undefined : value,
        ...firstPage,
      })
    }
    data={[...new Set([...sizes, String(size)])].map((value) => ({
      value,
      label: plural(Number(value), { one: "# row", other: "# rows" }),
    }))}
  />
);

type Props = {
  state: ListState;
  page: Page<unknown> | undefined;
  /** There is no page because it couldn't be loaded, so there is nothing to go through. */
  hasFailed: boolean;
  countLabel: ListTexts["count"];
  /** Whether the list is sorted by a date, so that the user can go to one. */
  isByDate: boolean;
  /** Counts all rows exactly, which may take long. */
  onCount: () => Promise<Total>;
  /** Beside the range. */
  children?: ReactNode;
};

/** Pages by number as far as offsets reach, then by cursor. */
export const Pager = (props: Props) => {
  const { page, countLabel, isByDate, onCount, children } = props;
  const { search, go } = props.state;
  const size = Number(search.size ?? usualSize);
  const isNumbered = !search.after && !search.before && !search.at;
  const place = Number(search.page ?? 1);
  const total = page?.total ?? null;
  const reach = lastNumberedPage(search.size);
  const last = total ? Math.max(1, Math.min(reach, Math.ceil(total.count / size))) : place;

  const to = (where: { page?: number; after?: string; before?: string; at?: string }) =>
    go({
      page: where.page && where.page > 1 ? String(where.page) : undefined,
      after: where.after,
      before: where.before,
      at: where.at,
      preview: undefined,
    });

  const previous = () =>
    isNumbered ? to({ page: place - 1 }) : to({ before: page?.previous ?? "" });
  const isByNumber = isNumbered && place < reach && !page?.searched;
  const next = () => (isByNumber ? to({ page: place + 1 }) : to({ after: page?.next ?? "" }));

  if (props.hasFailed) return null;
  return (
    <footer className="pager">
      <Range
        page={page}
        size={size}
        place={place}
        isNumbered={isNumbered}
        countLabel={countLabel}
        onCount={onCount}
      />
      {page?.searched && (
        <span className="softer">
          {t`Searched ${{ rows: number(page.searched) }} rows.`}{" "}
          <button type="button" className="quiet-link" onClick={next}>
            {t`Keep searching`}
          </button>
        </span>
      )}
      {children}
      <span className="spacer" />
      <PageSize size={size} onChange={go} />
      {isByDate && (
        <Suspense>
          <GoTo at={search.at} onGo={(at) => to({ at })} />
        </Suspense>
      )}
      <nav className="pager-steps" aria-label={t`Pages`}>
        <Step
          label={t`First page`}
          icon="chevrons-left"
          disabled={!page?.previous}
          onClick={() => to({})}
        />
        <Step
          label={t`Previous page`}
          icon="chevron-left"
          disabled={!page?.previous}
          onClick={previous}
        />
        {(isNumbered || search.before === "end") &&
          pagesAround(isNumbered ? place : last, last).map((one) => (
            <Button
              key={one}
              variant={isNumbered && one === place ? "default" : "subtle"}
              className="pager-number wide-only"
              aria-label={t`Page ${{ page: number(one) }}`}
              {...(isNumbered && one === place && { "aria-current": "page" })}
              onClick={() => to({ page: one })}
            >
              {number(one)}
            </Button>
          ))}
        <Step label={t`Next page`} icon="chevron-right" disabled={!page?.next} onClick={next} />
        {/* By cursor: rows added meanwhile cause no duplicates or gaps on the way back. */}
        <Step
          label={t`Last page`}
          icon="chevrons-right"
          disabled={!page?.next}
          onClick={() => to({ before: "end" })}
        />
      </nav>
    </footer>
  );
};

type RangeProps = Pick<Props, "page" | "countLabel" | "onCount"> & {
  size: number;
  place: number;
  isNumbered: boolean;
};

const Range = ({ page, size, place, isNumbered, countLabel, onCount }: RangeProps) => {
  const [counted, setCounted] = useState<Total | "counting" | null>(null);
  if (!page) return <span className="softer">{t`Loading…`}</span>;
  const { items } = page;
  const total = counted && counted !== "counting" ? counted : page.total;
  if (items.length === 0) return <span className="softer">{countLabel(0)}</span>;
  const start = (place - 1) * size + 1;
  const from = number(start);
  const to = number(start + items.length - 1);
  const isAll = isNumbered && !page.next && !page.previous;
  const rows = isNumbered && !isAll ? t`${from}–${to}` : countLabel(items.length);
  const all = !isAll && total && totalLabels(total);
  return (
    <span className="pager-range">
      <span aria-live="polite">
        {all ? (
          <Trans>
            <b>{rows}</b> of {all}
          </Trans>
        ) : (
          <b>{rows}</b>
        )}
      </span>
      {total && total.kind !== "exact" && (
        <button
          type="button"
          className="quiet-link wide-only"
          disabled={counted === "counting"}
          onClick={() => {
            setCounted("counting");
            onCount().then(setCounted, () => setCounted(null));
          }}
        >
          {counted === "counting" ? t`Counting…` : t`Count exactly`}
        </button>
      )}
    </span>
  );
};
