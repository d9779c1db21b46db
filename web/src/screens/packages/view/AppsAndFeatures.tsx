import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { series } from "#lib/intl.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon, Tile } from "#ui/Icon.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { type Contents, matrixOf, type Package, useShownContents } from "../queries.ts";

type Feature = Contents["contents"][number]["features"][number];

const Value = ({ feature }: { feature: Feature }) => {
  const { value, defaultValue } = feature;
  if (value === null)
    return (
      <dd className="softer">
        {featureValue(feature, defaultValue)} <small>{t`default`}</small>
      </dd>
    );
  return (
    <dd>
      {value === true && <Icon name="check" size={14} />}
      {featureValue(feature, value)}
      {feature.perUnit && <small> {t`× quantity`}</small>}
    </dd>
  );
};

/** The content of a version: its apps with their feature values. */
export const AppsAndFeatures = ({ stored }: { stored: Package }) => {
  const mayWrite = useMay("packages:write") && stored.status !== "archived";
  const { data, error, refetch } = useShownContents(stored.id);
  if (error && !data)
    return (
      <Failed title={t`Couldn't load apps and features`} error={error} onRetry={() => refetch()} />
    );
  if (!data) return null;
  const { contents, number } = data;
  const features = contents.reduce((sum, app) => sum + app.features.length, 0);
  return (
    <Section
      title={t`Apps and features`}
      note={series([
        t`version ${number}`,
        plural(contents.length, { one: "# app", other: "# apps" }),
        plural(features, { one: "# feature", other: "# features" }),
      ])}
      actions={
        <Link to={matrixOf(stored)} className="more-link">
          {mayWrite ? t`Edit features` : t`View features`}
          <Icon name="arrow-right" size={14} />
        </Link>
      }
    >
      {contents.length === 0 ? (
        <p className="soft">
          <Trans>
            This package has no apps.{" "}
            <Link to={matrixOf(stored)} className="sentence-link">
              Add apps
            </Link>
          </Trans>
        </p>
      ) : (
        <div className="contents">
          {contents.map((app) => (
            <div key={app.id}>
              <h3>
                <Tile icon={app.icon} size={20} />
                <Link to="/apps/view/$id" params={{ id: app.id }}>
                  {app.name}
                </Link>
              </h3>
              <dl>
                {app.features.map((feature) => (
                  <div key={feature.id}>
                    <dt>{feature.name}</dt>
                    <Value feature={feature} />
                  </div>
                ))}
              </dl>
              {app.features.length === 0 && <p className="softer">{t`No features yet.`}</p>}
            </div>
          ))}
        </div>
      )}
    </Section>
  );
};
