import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { rankOf } from "@purser/contract/fields/values";
import { exportImpact } from "@purser/contract/packages/publishing";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { addressOf } from "#lib/api/call.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { useMay } from "#lib/session/session.ts";
import { formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Icon } from "#ui/Icon.tsx";
import { changeOf, contentOf, isIncluded, isInvalid, type Sheet } from "#ui/matrix/sheet/cells.ts";
import { contentLabels } from "#ui/matrix/sheet/labels.ts";
import { downloadLink } from "#ui/page/downloads.ts";
import { AboveLimit, BlockingIssues, GainAndLoss, Renewals } from "../publishing/ImpactFigures.tsx";
import { type Impact, impactQuery } from "./queries.ts";

type Effect = Impact["effects"][number];

/** Compares values, not subscribers, so that it also works for a package without subscribers. */
const isGain = (sheet: Sheet, { feature, gain, lose }: Effect) => {
  const spot = sheet.spots.get(feature.id);
  if (!spot) return gain >= lose;
  const { defaultValue, onSale } = spot.feature;
  const content = isIncluded(sheet, spot.app) ? contentOf(sheet, feature.id) : null;
  const after = (isInvalid(content) ? spot.feature.value : content) ?? defaultValue;
  return rankOf(spot.feature, after) >= rankOf(spot.feature, onSale ?? defaultValue);
};

const shownMax = 6;

const EffectList = ({ sheet, impact }: { sheet: Sheet; impact: Impact }) => {
  const [isAll, setAll] = useState(false);
  const { effects } = impact;
  const shown = isAll ? effects : effects.slice(0, shownMax);
  const labelOf = ({ feature }: Effect, value: Effect["before"]) => {
    if (value !== null) return featureValue(feature, value);
    const spot = sheet.spots.get(feature.id);
    return spot ? contentLabels(spot.feature, null) : t`the default`;
  };
  return (
    <>
      <ul className="impact-effects">
        {shown.map((effect) => {
          const [before, after] = [effect.before, effect.after].map((one) => labelOf(effect, one));
          // Same as the version on sale, so it changes something only for subscribers of older versions.
          const isOld = before === after;
          const gains = isOld ? effect.gain >= effect.lose : isGain(sheet, effect);
          return (
            <li key={effect.feature.id}>
              <span className="impact-sign" data-tone={gains ? "ok" : "warn"}>
                <Icon name={gains ? "plus" : "minus"} size={12} />
                <span className="unseen">{gains ? t`more` : t`less`}</span>
              </span>
              <div>
                <p>{effect.feature.name}</p>
                <small>
                  {isOld ? (
                    gains ? (
                      <Trans>
                        <b>{after}</b>, more than in older versions
                      </Trans>
                    ) : (
                      <Trans>
                        <b>{after}</b>, less than in older versions
                      </Trans>
                    )
                  ) : (
                    <>
                      {before} <Icon name="arrow-right" size={12} /> <b>{after}</b>
                    </>
                  )}
                </small>
              </div>
            </li>
          );
        })}
      </ul>
      {effects.length > shownMax && (
        <button type="button" className="quiet-link" onClick={() => setAll(!isAll)}>
          {isAll
            ? t`Show fewer`
            : plural(effects.length, { one: "Show # feature", other: "Show all # features" })}
        </button>
      )}
    </>
  );
};

const AffectedCustomers = ({
  id,
  impact,
  isSaved,
}: {
  id: string;
  impact: Impact;
  isSaved: boolean;
}) => {
  const mayExport = useMay("packages:export");
  const groups = [
    { title: t`Would lose something`, customers: impact.losing },
    { title: t`Would gain something`, customers: impact.gaining },
  ].filter(({ customers }) => customers.length > 0);
  if (groups.length === 0) return null;
  return (
    <section className="impact-customers">
      {groups.map(({ title, customers }) => (
        <div key={title}>
          <h3>{title}</h3>
          <ul>
            {customers.map((customer) => (
              <li key={customer.id}>
                {customer.name} <span className="softer">{customer.email}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {!mayExport ? null : isSaved ? (
        <a
          className="sentence-link"
          {...downloadLink(
            addressOf(exportImpact.path, { params: { id }, query: { format: "csv" } }),
          )}
        >
          {t`Download all`}
        </a>
      ) : (
        <p className="softer">{t`Save the draft to download the full list.`}</p>
      )}
    </section>
  );
};

const previewMs = 400;

/** The impact of the draft as shown, requested again when editing pauses. */
const useImpact = (sheet: Sheet) => {
  const { id, draft } = sheet.matrix.package;
  const change = useMemo(() => changeOf(sheet), [sheet]);
  const [asked] = useDebouncedValue(change, previewMs);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...impactQuery(id, draft?.id ?? "", asked),
    enabled: draft !== null,
  });
  return { impact: data, error, isOld: isFetching || isPlaceholderData || asked !== change };
};

type Props = {
  sheet: Sheet;
  changes: number;
  busy: boolean;
  onPublish: () => void;
  onSave: () => void;
  onDiscard: () => void;
  mayEdit: boolean;
};

type ShownProps = Pick<Props, "sheet" | "changes"> & { impact: Impact; isOld: boolean };

const Shown = ({ sheet, impact, isOld, changes }: ShownProps) => {
  const zone = useTimeZone();
  const time = formatTime(zone, new Date(impact.asOf));
  return (
    <div className="impact-body" data-old={isOld || undefined} aria-busy={isOld}>
      {impact.effects.length === 0 ? (
        <p className="soft">{t`No changes yet. Change a value to see who gains and who loses.`}</p>
      ) : (
        <EffectList sheet={sheet} impact={impact} />
      )}
      <Renewals impact={impact} />
      {impact.subscribers > 0 && (
        <>
          <GainAndLoss impact={impact} />
          <p className="softer">{t`If all subscribers are migrated. You choose when you publish.`}</p>
        </>
      )}
      <AboveLimit impact={impact} />
      <AffectedCustomers id={sheet.matrix.package.id} impact={impact} isSaved={changes === 0} />
      <BlockingIssues impact={impact} />
      <p className="softer impact-age">
        {impact.subscribers === 0
          ? t`No subscribers of other versions. As of ${time}`
          : t`As of ${time}`}
      </p>
    </div>
  );
};

/** Next to the matrix: the impact of the draft, and its actions. */
export const ImpactRail = (props: Props) => {
  const { sheet, changes, busy, onPublish, onSave, onDiscard, mayEdit } = props;
  const { draft, codeFrozen, scheduled } = sheet.matrix.package;
  const { impact, error, isOld } = useImpact(sheet);
  const version = draft?.number ?? "";
  const canDrop = codeFrozen || scheduled !== null;
  return (
    <aside className="impact" aria-labelledby="impact-title">
      <h2 id="impact-title">{t`Consequences`}</h2>
      {!draft && <p className="soft">{t`No draft, so nothing changes.`}</p>}
      {draft && error && !impact && <p role="alert">{error.message}</p>}
      {draft && impact && <Shown sheet={sheet} changes={changes} impact={impact} isOld={isOld} />}
      {draft && !impact && !error && <span className="skeleton" />}
      {draft && mayEdit && (
        <div className="impact-actions">
          <Button fullWidth onClick={onPublish} aria-disabled={busy}>
            {t`Review version ${version}`}
          </Button>
          <div>
            <Button variant="default" onClick={onSave} disabled={changes === 0} aria-busy={busy}>
              {t`Save draft`}
            </Button>
            <Button variant="subtle" onClick={onDiscard} disabled={changes === 0 && !canDrop}>
              {changes > 0 || !canDrop ? t`Discard changes` : t`Discard draft`}
            </Button>
          </div>
        </div>
      )}
    </aside>
  );
};
