import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { versionStates } from "#lib/labels/versionStates.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import { type Feature, type FeatureUse, usesQuery } from "./queries.ts";

const stateLabels: Record<FeatureUse["state"], StatusWord> = {
  draft: { word: versionStates.draft, icon: "circle-dashed", tone: "mute" },
  scheduled: { word: versionStates.scheduled, icon: "clock", tone: "info" },
  "on sale": { word: versionStates["on sale"], icon: "circle-check", tone: "ok", quiet: true },
  superseded: { word: versionStates.superseded, icon: "history", tone: "mute", quiet: true },
  retired: { word: versionStates.retired, icon: "archive", tone: "mute", quiet: true },
};

/** The package versions that include the feature, with their values. */
export const PackageUses = ({ feature }: { feature: Feature }) => {
  const { data: uses, error, refetch } = useQuery(usesQuery(feature.id));
  if (error && !uses)
    return <Failed title={t`Couldn't load packages`} error={error} onRetry={() => refetch()} />;
  return (
    <Section title={t`Used in packages`} note={uses && uses.length > 0 && number(uses.length)}>
      {uses?.length === 0 ? (
        <p className="soft">{t`Not included in any package. Customers get the default value.`}</p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Package`}</th>
                <th scope="col">{t`Version`}</th>
                <th scope="col">{t`Status`}</th>
                <th scope="col">{t`Value`}</th>
                <th scope="col" data-align="end">
                  {t`Subscribers`}
                </th>
              </tr>
            </thead>
            <tbody>
              {uses?.map((use) => (
                <tr key={`${use.package.id} ${use.number}`}>
                  <th scope="row">
                    <Link to="/package/view/$id" params={{ id: use.package.id }}>
                      {use.package.name}
                    </Link>
                  </th>
                  <td className="soft">{use.number}</td>
                  <td>
                    <Status status={stateLabels[use.state]} />
                  </td>
                  <td>{featureValue(feature, use.value)}</td>
                  <td data-align="end">{number(use.subscribers)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
};

const usageLabel = ({ defaultValue, usedOptions }: Feature, code: string) => {
  const isUsed = usedOptions.includes(code);
  if (code === defaultValue) return isUsed ? t`Default, in packages` : t`Default`;
  return isUsed ? t`In packages` : t`Not used`;
};

/** The options, lowest first. */
export const Options = ({ feature }: { feature: Feature }) => (
  <Section title={t`Options`} note={t`Ordered from lowest to highest`}>
    <div className="scroll-x">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t`Option`}</th>
            <th scope="col">{t`Code`}</th>
            <th scope="col">{t`Used`}</th>
          </tr>
        </thead>
        <tbody>
          {feature.options.map(({ code, name }) => (
            <tr key={code}>
              <th scope="row">{name}</th>
              <td className="mono soft">{code}</td>
              <td className="soft">{usageLabel(feature, code)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Section>
);
