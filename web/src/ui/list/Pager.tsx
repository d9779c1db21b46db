import { Button, NativeSelect } from "@mantine/core";
import { numberedRowsMax } from "@purser/contract/http/list";
import { sizes, usualSize } from "@purser/contract/pages/listSearch";
import { type ReactNode, useState } from "react";
import { count, number } from "#lib/labels.ts";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";
import type { Page, Total } from "./declaration.ts";
import type { ListState } from "./listSearch.ts";

/** A total, marked if it is an estimate or a lower bound. */
export const totalLabels = ({ count: amount, kind }: Total) =>
  ({
    exact: number(amount),
    "at least": `${number(amount)}+`,
    about: `about ${number(amount)}`,
  })[kind];

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

type Props = {
  state: ListState;
  page: Page<unknown> | undefined;
  words: { one: string; many: string };
  /** Counts all rows exactly, which may take long. */
  onCount: () => Promise<Total>;
};

/** Pages by number as far as offsets reach, then by cursor. */
export const Pager = ({ state: { search, go }, page, words, onCount }: Props) => {
  const size = Number(search.size ?? usualSize);
  const isNumbered = !search.after && !search.before;
  const place = Number(search.page ?? 1);
  const total = page?.total ?? null;
  const reach = Math.floor(numberedRowsMax / size);
  const last = total ? Math.max(1, Math.min(reach, Math.ceil(total.count / size))) : place;

  const to = (where: { page?: number; after?: string; before?: string }) =>
    go({
      page: where.page && where.page > 1 ? String(where.page) : undefined,
      after: where.after,
      before: where.before,
      preview: undefined,
    });

  const previous = () =>
    isNumbered ? to({ page: place - 1 }) : to({ before: page?.previous ?? "" });
  const next = () =>
    isNumbered && place < reach ? to({ page: place + 1 }) : to({ after: page?.next ?? "" });

  return (
    <footer className="pager">
      <Range
        page={page}
        size={size}
        place={place}
        isNumbered={isNumbered}
        words={words}
        onCount={onCount}
      />
      <span className="spacer" />
      <NativeSelect
        className="wide-only"
        aria-label="Rows per page"
        value={String(size)}
        onChange={({ currentTarget: { value } }) =>
          go({
            size: value === usualSize ? undefined : value,
            page: undefined,
            after: undefined,
            before: undefined,
          })
        }
        data={[...new Set([...sizes, String(size)])].map((value) => ({
          value,
          label: `${value} rows`,
        }))}
      />
      <nav className="pager-steps" aria-label="Pages">
        <Step
          label="First page"
          icon="chevrons-left"
          disabled={!page?.previous}
          onClick={() => to({})}
        />
        <Step
          label="Previous page"
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
              aria-label={`Page ${one}`}
              {...(isNumbered && one === place && { "aria-current": "page" })}
              onClick={() => to({ page: one })}
            >
              {one}
            </Button>
          ))}
        <Step label="Next page" icon="chevron-right" disabled={!page?.next} onClick={next} />
        {/* By cursor: rows added meanwhile cause no duplicates or gaps on the way back. */}
        <Step
          label="Last page"
          icon="chevrons-right"
          disabled={!page?.next}
          onClick={() => to({ before: "end" })}
        />
      </nav>
    </footer>
  );
};

type RangeProps = Pick<Props, "page" | "words" | "onCount"> & {
  size: number;
  place: number;
  isNumbered: boolean;
};

const Amount = ({ of, words: { one, many } }: { of: number } & Pick<Props, "words">) => (
  <>
    <b>{number(of)}</b> {of === 1 ? one : many}
  </>
);

const Range = ({ page, size, place, isNumbered, words, onCount }: RangeProps) => {
  const [counted, setCounted] = useState<Total | "counting" | null>(null);
  if (!page) return <span className="softer">Reading</span>;
  const { items } = page;
  const total = counted && counted !== "counting" ? counted : page.total;
  if (items.length === 0) return <span className="softer">{count(0, words.one, words.many)}</span>;
  const from = (place - 1) * size + 1;
  const rows: ReactNode = isNumbered ? (
    <b>
      {number(from)}–{number(from + items.length - 1)}
    </b>
  ) : (
    <Amount of={items.length} words={words} />
  );
  const isAll = isNumbered && !page.next && !page.previous;
  return (
    <span className="pager-range">
      <span aria-live="polite">
        {isAll ? <Amount of={items.length} words={words} /> : rows}
        {!isAll && total && ` of ${totalLabels(total)}`}
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
          {counted === "counting" ? "Counting…" : "Count exactly"}
        </button>
      )}
    </span>
  );
};
