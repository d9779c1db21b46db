import "./preview.css";
import { t } from "@lingui/core/macro";
import { ActionIcon, Button } from "@mantine/core";
import type { Fields } from "@purser/contract/http/list";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Icon } from "../Icon.tsx";
import { Failed } from "../page/Empty.tsx";
import type { ListDeclaration } from "./declaration.ts";
import type { Identified } from "./table/tableEngine.ts";

type Props<Row extends Identified, F extends Fields> = {
  id: string;
  /** The row if the list already has it. */
  row: Row | undefined;
  list: ListDeclaration<Row, F>;
  onClose: () => void;
};

/**
 * Details of a row next to the list. The list stays usable, and moving in it changes the preview.
 */
export const Preview = <Row extends Identified, F extends Fields>(props: Props<Row, F>) => {
  const { id, row, list, onClose } = props;
  const { name, readOne, labelOf, linkOf, previewOf } = list;
  const { data, error, refetch } = useQuery({
    queryKey: [name, "one", id],
    queryFn: () => readOne(id),
    ...(row && { initialData: row }),
  });
  const title = data ? labelOf(data) : t`Preview`;
  // Some records have no page beyond this preview.
  const link = data && linkOf(data);
  const isShownHere = link?.endsWith(`?preview=${id}`);
  return (
    <div className="preview" role="dialog" aria-label={t`Preview of ${title}`}>
      <header className="preview-head">
        <h2>{title}</h2>
        <span className="spacer" />
        {link && !isShownHere && (
          <Button component={Link} to={link} variant="default" size="xs">
            {t`Open`}
          </Button>
        )}
        <ActionIcon aria-label={t`Close`} onClick={onClose}>
          <Icon name="x" />
        </ActionIcon>
      </header>
      {error && !data ? (
        <Failed title={t`Couldn't load the preview`} error={error} onRetry={() => refetch()} />
      ) : (
        data && <div className="preview-body">{previewOf(data)}</div>
      )}
    </div>
  );
};
