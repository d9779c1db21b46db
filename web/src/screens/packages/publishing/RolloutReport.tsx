import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { exportRolloutMigrations } from "@purser/contract/packages/publishing";
import { useInfiniteQuery } from "@tanstack/react-query";
import { addressOf } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { More } from "#ui/page/More.tsx";
import { type Migration, migrationsQuery, type Rollout } from "../queries.ts";

const outcomeLabels: Record<Migration["outcome"], string> = {
  migrated: t`Migrated`,
  "at renewal": t`At renewal`,
  kept: t`Not migrated`,
};

const MigrationRow = ({
  migration: { customer, from, outcome, effectiveAt },
}: {
  migration: Migration;
}) => (
  <tr>
    <th scope="row" className="person">
      {customer.name}
      <small>{customer.email}</small>
    </th>
    <td className="soft">{t`Version ${{ number: from }}`}</td>
    <td>{outcomeLabels[outcome]}</td>
    <td className="soft">{effectiveAt ? <Moment at={effectiveAt} /> : "–"}</td>
  </tr>
);

/** Whom a rollout migrated, from which version, and whom it didn't. */
export const RolloutReport = ({ rollout, onClose }: { rollout: Rollout; onClose: () => void }) => {
  const { number } = rollout;
  const mayExport = useMay("packages:export");
  const pages = useInfiniteQuery(migrationsQuery(rollout.id));
  const { data, error, refetch } = pages;
  const migrations = data?.pages.flatMap(({ items }) => items) ?? [];
  const file = addressOf(exportRolloutMigrations.path, {
    params: { id: rollout.id },
    query: { format: "csv" },
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Rollout of version ${number}`}
      fact={t`The result for each subscriber.`}
      sign={{ icon: "users", tone: "info" }}
      size={680}
      foot={
        <>
          {mayExport && (
            <Button
              variant="default"
              component="a"
              {...downloadLink(file)}
              leftSection={<Icon name="download" />}
            >
              {t`Download report`}
            </Button>
          )}
          <span className="spacer" />
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      {error && !data && (
        <Failed title={t`Couldn't load the report`} error={error} onRetry={() => refetch()} />
      )}
      {data && migrations.length === 0 && (
        <p className="soft">{t`No one has been migrated yet.`}</p>
      )}
      {migrations.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Customer`}</th>
                <th scope="col">{t`From`}</th>
                <th scope="col">{t`Result`}</th>
                <th scope="col">{t`Date`}</th>
              </tr>
            </thead>
            <tbody>
              {migrations.map((migration) => (
                <MigrationRow key={migration.grantId} migration={migration} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div>
        <More of={pages}>{t`Load more`}</More>
      </div>
    </Dialog>
  );
};
