import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { number } from "#lib/intl.ts";
import { Empty } from "#ui/page/Empty.tsx";

type Props = {
  searched: number;
  /** Where the following rows begin. */
  cursor: string | null;
  onContinue: () => void;
};

/** Each part is one bounded request, so a search that finds nothing ends after a few seconds. */
const partsMax = 25;

/** Without an index for the filter, a long list is searched in parts, until one has a match. */
export const NoMatchYet = ({ searched, cursor, onContinue }: Props) => {
  const [parts, setParts] = useState(partsMax);
  const [total, setTotal] = useState(0);
  const known = useRef<string | null>(null);
  const isSearching = parts > 0;
  useEffect(() => {
    if (cursor === null || known.current === cursor) return;
    known.current = cursor;
    setTotal((before) => before + searched);
    if (!isSearching) return;
    setParts((left) => left - 1);
    onContinue();
  });
  const rows = number(total);
  if (isSearching)
    return (
      <Empty
        icon="zoom-question"
        title={t`Searching…`}
        actions={
          <Button variant="default" onClick={() => setParts(0)}>
            {t`Stop searching`}
          </Button>
        }
      >
        <p role="status">{t`No matches in ${rows} rows so far.`}</p>
      </Empty>
    );
  const goOn = () => {
    setParts(partsMax - 1);
    onContinue();
  };
  return (
    <Empty
      icon="zoom-question"
      title={t`No matches in ${rows} rows`}
      actions={<Button onClick={goOn}>{t`Keep searching`}</Button>}
    >
      <p>{t`The list has more rows. Keep searching, or add a filter such as a date range.`}</p>
    </Empty>
  );
};

/** The end of a search in parts, of which the earlier ones may have had matches. */
export const NoMoreMatches = ({
  onFirst,
  onClear,
}: {
  onFirst: () => void;
  onClear: () => void;
}) => (
  <Empty
    icon="zoom-question"
    title={t`No more matches`}
    actions={
      <>
        <Button onClick={onFirst}>{t`Back to the first page`}</Button>
        <Button variant="default" onClick={onClear}>{t`Clear filters`}</Button>
      </>
    }
  >
    <p>{t`All rows have been searched.`}</p>
  </Empty>
);
