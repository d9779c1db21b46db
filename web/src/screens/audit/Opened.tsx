import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { emptyValue } from "#lib/labels/emptyValue.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { Action, Names } from "#ui/history/action.ts";
import { linesOf } from "#ui/history/changes.ts";
import { marked } from "./marked.tsx";
import { actionQuery } from "./queries.ts";

type Props = {
  action: Action;
  names: Names;
  word: string | undefined;
  current?: string | undefined;
};

/** A list has only the first entries of an action. */
const useWhole = ({ action, names }: Props) => {
  const isPart = action.total.count > action.entries.length || action.total.kind !== "exact";
  const { data } = useQuery({ ...actionQuery(action.id), enabled: isPart });
  return data ?? { action, names };
};

/** The single changes of an action. */
export const Opened = (props: Props) => {
  const { word, current } = props;
  const zone = useTimeZone();
  const { action, names } = useWhole(props);
  const { entries, total, reason } = action;
  const lines = linesOf(action, { names, zone });
  const shown = number(entries.length);
  return (
    <>
      {lines.length > 0 ? (
        <table className="history-table">
          <thead>
            <tr>
              <th scope="col">{t`Record`}</th>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Before`}</th>
              <th scope="col">{t`After`}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.key} data-current={line.entryId === current || undefined}>
                <td>{marked(line.record, word)}</td>
                <th scope="row">{marked(line.field, word)}</th>
                <td className="history-before">
                  <span aria-hidden="true">− </span>
                  {marked(line.before ?? emptyValue, word)}
                </td>
                <td className="history-after">
                  <span aria-hidden="true">+ </span>
                  {marked(line.after ?? emptyValue, word)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p className="softer">{t`A secret was changed. Secrets aren't stored in the log.`}</p>
      )}
      <p className="history-facts">
        {reason && <span>{t`Reason: ${reason}`} </span>}
        {total.kind !== "exact" && <span>{t`The first ${shown} entries are shown.`} </span>}
        <span className="softer">
          {entries.slice(0, 8).map(({ id }) => (
            <Link key={id} to="/audit" search={{ preview: id }} className="quiet-link">
              {t`Entry ${{ id: number(Number(id)) }}`}
            </Link>
          ))}
          {entries[0]?.address && <span>{t`From ${{ address: entries[0].address }}`}</span>}
        </span>
      </p>
    </>
  );
};
