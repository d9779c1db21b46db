import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { number as grouped, percent } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { startFrom } from "../actions.ts";
import { stateLabels } from "../labels.ts";
import { type Package, shownVersion, type Version, versionsQuery } from "../queries.ts";

const CompareDialog = part(async () => (await import("./CompareDialog.tsx")).CompareDialog);

/** The color of a version in use; the oldest versions share the last color. */
const seriesOf = (versions: Version[]) => {
  const held = versions.filter(({ subscribers }) => subscribers > 0);
  return new Map(held.map(({ id }, place) => [id, `var(--p-series-${Math.min(place + 1, 5)})`]));
};

const shareOf = (subscribers: number, all: number) =>
  all === 0 ? "–" : percent(subscribers / all, 1);

const Published = ({ version }: { version: Version }) => {
  if (version.publishedAt)
    return (
      <>
        <Day at={version.publishedAt} />
        {version.publishedBy && <small>{version.publishedBy}</small>}
      </>
    );
  return version.publishAt ? (
    <Trans>
      Scheduled for <Day at={version.publishAt} />
    </Trans>
  ) : (
    t`Not published`
  );
};

type RowProps = {
  version: Version;
  all: number;
  color: string | undefined;
  onCompare: (() => void) | null;
  onTake: (() => void) | null;
};

const VersionRow = ({ version, all, color, onCompare, onTake }: RowProps) => {
  const { number } = version;
  return (
    <tr>
      <th scope="row">
        <span className="version">
          <i className="swatch" style={{ background: color ?? "transparent" }} aria-hidden="true" />
          <b>{version.number}</b>
          <Status status={stateLabels[version.state]} />
        </span>
      </th>
      <td className="soft">
        <Published version={version} />
      </td>
      <td className="soft note">{version.note ?? "–"}</td>
      <td className="end">{grouped(version.subscribers)}</td>
      <td className="end soft">{shareOf(version.subscribers, all)}</td>
      <td className="actions">
        {onCompare && (
          <ActionIcon
            aria-label={t`Compare version ${number}`}
            data-tip={t`Compare`}
            onClick={onCompare}
          >
            <Icon name="git-compare" />
          </ActionIcon>
        )}
        {onTake && (
          <ActionIcon
            aria-label={t`Copy version ${number} to a new draft`}
            data-tip={t`Copy to a new draft`}
            onClick={onTake}
          >
            <Icon name="plus" />
          </ActionIcon>
        )}
      </td>
    </tr>
  );
};

/** A version is compared with the one on sale, or with its predecessor. */
const pairOf = (versions: Version[], { number }: Version) => {
  const sold = shownVersion(versions)?.number ?? number;
  const other = sold === number ? versions.find((one) => one.number < number)?.number : sold;
  const pair = [number, other ?? versions.find((one) => one.number !== number)?.number ?? number];
  return { from: Math.min(...pair), to: Math.max(...pair) };
};

/** All versions with their subscribers. */
export const Versions = ({ stored }: { stored: Package }) => {
  const mayWrite = useMay("packages:write");
  const { data: versions, error, refetch } = useQuery(versionsQuery(stored.id));
  const [compared, setCompared] = useState<{ from: number; to: number } | null>(null);
  if (error && !versions)
    return <Failed title={t`Couldn't load versions`} error={error} onRetry={() => refetch()} />;
  if (!versions) return null;
  const all = versions.reduce((sum, { subscribers }) => sum + subscribers, 0);
  const series = seriesOf(versions);
  const canTake = mayWrite && !stored.draft && stored.status !== "archived";
  const [newest] = versions;
  return (
    <Section
      title={t`Versions`}
      note={t`Subscribers keep their version until you migrate them.`}
      actions={
        newest &&
        versions.length > 1 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="git-compare" size={14} />}
            onClick={() => setCompared(pairOf(versions, newest))}
          >
            {t`Compare versions`}
          </Button>
        )
      }
    >
      {all > 0 && (
        <div className="mix" aria-hidden="true">
          {versions
            .filter(({ subscribers }) => subscribers > 0)
            .map(({ id, subscribers }) => (
              <i key={id} style={{ flexGrow: subscribers, background: series.get(id) }} />
            ))}
        </div>
      )}
      <div className="scroll-x">
        <table className="plain-table versions">
          <thead>
            <tr>
              <th scope="col">{t`Version`}</th>
              <th scope="col">{t`Published`}</th>
              <th scope="col">{t`Note`}</th>
              <th scope="col" className="end">
                {t`Subscribers`}
              </th>
              <th scope="col" className="end">
                {t`Share`}
              </th>
              <th scope="col">
                <span className="unseen">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => (
              <VersionRow
                key={version.id}
                version={version}
                all={all}
                color={series.get(version.id)}
                onCompare={
                  versions.length > 1 ? () => setCompared(pairOf(versions, version)) : null
                }
                onTake={canTake ? () => attempt(() => startFrom(stored, version.number)) : null}
              />
            ))}
          </tbody>
          {all > 0 && (
            <tfoot>
              <tr className="total">
                <th scope="row">{t({ context: "count", message: "Total" })}</th>
                <td />
                <td />
                <td className="end">{grouped(all)}</td>
                <td className="end">{percent(1, 1)}</td>
                <td />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <Suspense>
        {compared && (
          <CompareDialog
            id={stored.id}
            versions={versions}
            {...compared}
            onClose={() => setCompared(null)}
          />
        )}
      </Suspense>
    </Section>
  );
};
