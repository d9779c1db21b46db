import { Button } from "@mantine/core";
import { exportRolloutMoves } from "@purser/contract/packages/publishing";
import { useInfiniteQuery } from "@tanstack/react-query";
import { addressOf } from "#lib/api/call.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { More } from "#ui/page/More.tsx";
import { type Migration, migrationsQuery, type Rollout } from "../queries.ts";

const outcomeLabels: Record<Migration["outcome"], string> = {
  moved: "Moved",
  "at renewal": "At renewal",
  stays: "Stays",
};

const MigrationRow = ({
  migration: { person, from, outcome, effectiveAt },
}: {
  migration: Migration;
}) => (
  <tr>
    <th scope="row" className="person">
      {person.name}
      <small>{person.email}</small>
    </th>
    <td className="soft">version {from}</td>
    <td>{outcomeLabels[outcome]}</td>
    <td className="soft">{effectiveAt ? <Moment at={effectiveAt} /> : "–"}</td>
  </tr>
);

/** Whom a rollout migrated, from which version, and whom it didn't. */
export const RolloutReport = ({ rollout, onClose }: { rollout: Rollout; onClose: () => void }) => {
  const pages = useInfiniteQuery(migrationsQuery(rollout.id));
  const { data, error, refetch } = pages;
  const migrations = data?.pages.flatMap(({ items }) => items) ?? [];
  const file = addressOf(exportRolloutMoves.path, {
    params: { id: rollout.id },
    query: { format: "csv" },
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Rollout of version ${rollout.number}`}
      fact="Everybody who was moved, and from which version."
      sign={{ icon: "users", tone: "info" }}
      size={680}
      foot={
        <>
          <Button
            variant="default"
            component="a"
            href={file}
            download
            leftSection={<Icon name="download" />}
          >
            Download report
          </Button>
          <span className="spacer" />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {error && !data && <Failed what="The report" error={error} onRetry={() => refetch()} />}
      {data && migrations.length === 0 && <p className="soft">Nobody was moved yet.</p>}
      {migrations.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col">From</th>
                <th scope="col">Outcome</th>
                <th scope="col">When</th>
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
        <More of={pages}>Show more</More>
      </div>
    </Dialog>
  );
};
