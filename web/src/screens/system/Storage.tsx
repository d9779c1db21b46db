import { t } from "@lingui/core/macro";
import { number } from "#lib/intl.ts";
import { Day } from "#ui/Moment.tsx";
import { sizeText } from "#ui/page/downloads.ts";
import { Facts } from "#ui/page/Page.tsx";
import type { System } from "./queries.ts";

const grownText = (bytes: number, before: number) => {
  const size = sizeText(Math.abs(bytes - before));
  return bytes < before ? `−${size}` : `+${size}`;
};

export const Storage = ({ storage }: Pick<System, "storage">) => {
  const isMeasured = storage.some(({ bytesBefore }) => bytesBefore !== null);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard. */}
      <section className="scroll-x" aria-label={t`Storage`} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t`Table`}</th>
              <th scope="col" data-align="end">{t`Size`}</th>
              {isMeasured && <th scope="col" data-align="end">{t`Last 30 days`}</th>}
            </tr>
          </thead>
          <tbody>
            {storage.map(({ table, bytes, bytesBefore }) => (
              <tr key={table ?? ""}>
                <th scope="row">{table ? <code>{table}</code> : t`All others`}</th>
                <td data-align="end">{sizeText(bytes)}</td>
                {bytesBefore !== null && (
                  <td data-align="end" className="soft">
                    {grownText(bytes, bytesBefore)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!isMeasured && (
        <p className="softer">
          {t`Sizes are measured every night. Growth is shown after 30 days.`}
        </p>
      )}
    </>
  );
};

export const Database = ({ database }: Pick<System, "database">) => {
  const { version, bytes, connections, migrations, backfills } = database;
  const { used, max } = connections;
  const waiting = migrations.waiting + backfills.waiting;
  return (
    <Facts
      of={[
        [t`PostgreSQL`, version],
        [t`Size`, sizeText(bytes)],
        [t`Connections`, t`${{ used: number(used) }} of ${{ max: number(max) }} in use`],
        [
          t`Last migration`,
          <>
            <code>{migrations.last}</code> {migrations.lastAt && <Day at={migrations.lastAt} />}
          </>,
        ],
        [t`Waiting migrations`, waiting === 0 ? t`None` : number(waiting)],
      ]}
    />
  );
};
