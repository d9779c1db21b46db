import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { number } from "#lib/intl.ts";
import { Empty } from "#ui/page/Empty.tsx";

type Props = { searched: number; onContinue: () => void };

/** Without an index for the filter, only a part of a long list is searched at once. */
export const NoMatchYet = ({ searched, onContinue }: Props) => {
  const rows = number(searched);
  return (
    <Empty
      icon="zoom-question"
      title={t`No matches in ${rows} rows`}
      actions={<Button onClick={onContinue}>{t`Keep searching`}</Button>}
    >
      <p>{t`The list has more rows. Keep searching, or add a filter such as a date range.`}</p>
    </Empty>
  );
};
