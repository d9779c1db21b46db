import { Button } from "@mantine/core";
import { type ListQuery, type ListSearch, queryOf } from "@purser/contract/pages/listSearch";
import { useQueries } from "@tanstack/react-query";
import { Empty } from "#ui/page/Empty.tsx";
import type { Total } from "../declaration.ts";
import { totalLabels } from "../Pager.tsx";

type Sentence = { label: string; operator: string; value: string };

type Props = {
  name: string;
  search: ListSearch;
  words: { one: string; many: string };
  sentence: (filter: string) => Sentence;
  count: (query: ListQuery, signal: AbortSignal) => Promise<Total | null>;
  onRemove: (next: Pick<ListSearch, "q" | "f">) => void;
  onClear: () => void;
};

/** The search without each of its parts. */
const partsOf = ({ q, f }: ListSearch, sentence: Props["sentence"]) => [
  ...(q
    ? [{ key: "q", words: { label: "Search", operator: "", value: q }, next: { q: undefined, f } }]
    : []),
  ...f.map((filter, place) => ({
    key: filter,
    words: sentence(filter),
    next: { q, f: f.toSpliced(place, 1) },
  })),
];

/** Suggests which filter to remove, with the number of results that would give. */
export const NoMatch = ({ name, search, words, sentence, count, onRemove, onClear }: Props) => {
  const parts = partsOf(search, sentence);
  const totals = useQueries({
    queries: parts.map(({ next }) => ({
      queryKey: [name, "list", "without", next],
      queryFn: ({ signal }: { signal: AbortSignal }) => count(queryOf(next), signal),
    })),
  });
  return (
    <Empty
      icon="zoom-question"
      title={`No ${words.one} matches`}
      acts={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      <p>Taking one away would help:</p>
      <ul className="hints">
        {parts.map(({ key, words: { label, operator, value }, next }, place) => {
          const total = totals[place]?.data;
          return (
            <li key={key}>
              <button type="button" className="chip chip-body" onClick={() => onRemove(next)}>
                <b>{label}</b> {operator} <span>{value}</span>
              </button>
              <span className="spacer" />
              <span className={total?.count ? "" : "softer"}>
                {total &&
                  (total.count > 0 ? `${totalLabels(total)} match without it` : "still none")}
              </span>
            </li>
          );
        })}
      </ul>
    </Empty>
  );
};
