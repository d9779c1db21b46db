import "./noMatch.css";
import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { type ListQuery, type ListSearch, queryOf } from "@purser/contract/pages/listSearch";
import { useQueries } from "@tanstack/react-query";
import { Empty } from "#ui/page/Empty.tsx";
import type { Total } from "../declaration.ts";
import { totalLabels } from "../Pager.tsx";
import { FilterText } from "./FilterText.tsx";
import { type Piece, piecesOf } from "./filterLabels.ts";

type Props = {
  name: string;
  search: ListSearch;
  piecesOf: (filter: string) => Piece[];
  count: (query: ListQuery, signal: AbortSignal) => Promise<Total | null>;
  onRemove: (next: Pick<ListSearch, "q" | "f">) => void;
  onClear: () => void;
};

/** The search without each of its parts. */
const partsOf = ({ q, f }: ListSearch, filterPieces: Props["piecesOf"]) => [
  ...(q
    ? [
        {
          key: "q",
          pieces: piecesOf((_, text) => t`Search for ${text}`, { value: q }),
          next: { q: undefined, f },
        },
      ]
    : []),
  ...f.map((filter, place) => ({
    key: filter,
    pieces: filterPieces(filter),
    next: { q, f: f.toSpliced(place, 1) },
  })),
];

const matchesWithout = (total: Total) => {
  if (total.count === 0) return t`Still no matches`;
  const matches = totalLabels(total);
  return plural(total.count, {
    one: `${matches} match without it`,
    other: `${matches} matches without it`,
  });
};

/** Suggests which filter to remove, with the number of results that would give. */
export const NoMatch = ({ name, search, piecesOf, count, onRemove, onClear }: Props) => {
  const parts = partsOf(search, piecesOf);
  const totals = useQueries({
    queries: parts.map(({ next }) => ({
      queryKey: [name, "list", "without", next],
      queryFn: ({ signal }: { signal: AbortSignal }) => count(queryOf(next), signal),
    })),
  });
  return (
    <Empty
      icon="zoom-question"
      title={t`No matches`}
      actions={
        <Button variant="default" onClick={onClear}>
          {t`Clear search and filters`}
        </Button>
      }
    >
      <p>{t`Try removing a filter:`}</p>
      <ul className="hints">
        {parts.map(({ key, pieces, next }, place) => {
          const total = totals[place]?.data;
          return (
            <li key={key}>
              <button type="button" className="chip chip-body" onClick={() => onRemove(next)}>
                <FilterText pieces={pieces} />
              </button>
              <span className="spacer" />
              <span className={total?.count ? "" : "softer"}>{total && matchesWithout(total)}</span>
            </li>
          );
        })}
      </ul>
    </Empty>
  );
};
