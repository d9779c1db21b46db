import "./jobs.css";
import { t } from "@lingui/core/macro";
import { bulkRowsMax } from "@purser/contract/http/listJobs";
import { useState } from "react";
import { number } from "#lib/intl.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { Moment } from "#ui/Moment.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import type { ListTexts, Page, Total } from "../declaration.ts";
import { totalLabels } from "../Pager.tsx";

/** All rows that matched the filter at a moment. */
export type AllSelected = { count: number; at: string };

type Props = {
  /** How many rows of the page are selected. */
  selected: number;
  page: Page<unknown>;
  texts: ListTexts;
  all: AllSelected | null;
  onCount: () => Promise<Total>;
  onSelect: (all: AllSelected | null) => void;
};

/** Offers to select all rows that match once those of the page are selected. */
export const SelectAll = ({ selected, page, texts, all, onCount, onSelect }: Props) => {
  const [isCounting, setCounting] = useState(false);
  const { items, total, next, previous } = page;
  if (selected < items.length || (!next && !previous)) return null;
  const select = async () => {
    setCounting(true);
    try {
      const counted = await onCount();
      if (counted.kind !== "exact" || counted.count > bulkRowsMax)
        toast(t`Too many rows match. Narrow the filter.`);
      else onSelect({ count: counted.count, at: currentTime().toISOString() });
    } finally {
      setCounting(false);
    }
  };
  if (all) {
    const rows = texts.count(all.count);
    return (
      <div className="list-strip" data-tone="selected" role="status">
        <b>{t`All ${{ matching: rows }} that match are selected.`}</b>
        <span className="soft">
          <Moment at={all.at} /> · {t`New ones aren't added.`}
        </span>
        <button type="button" className="quiet-link" onClick={() => onSelect(null)}>
          {t`Select only the ${{ rows: number(items.length) }} on this page`}
        </button>
      </div>
    );
  }
  const matching = total ? totalLabels(total) : "";
  return (
    <div className="list-strip" data-tone="selected" role="status">
      <b>{t`All ${{ rows: number(items.length) }} on this page are selected.`}</b>
      <button
        type="button"
        className="quiet-link"
        disabled={isCounting}
        onClick={() => void attempt(select)}
      >
        {isCounting
          ? t`Counting…`
          : matching
            ? t`Select all ${matching} that match`
            : t`Select all that match`}
      </button>
    </div>
  );
};
