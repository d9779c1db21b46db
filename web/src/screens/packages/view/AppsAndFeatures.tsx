import { wordsOf } from "@purser/contract/fields/values";
import { Link } from "@tanstack/react-router";
import { count } from "#lib/labels.ts";
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
        {wordsOf(feature, defaultValue)} <small>default</small>
      </dd>
    );
  return (
    <dd>
      {value === true && <Icon name="check" size={14} />}
      {wordsOf(feature, value)}
    </dd>
  );
};

/** The content of a version: its apps with their feature values. */
export const AppsAndFeatures = ({ stored }: { stored: Package }) => {
  const { data, error, refetch } = useShownContents(stored.id);
  if (error && !data)
    return <Failed what="The apps and features" error={error} onRetry={() => refetch()} />;
  if (!data) return null;
  const { contents, number } = data;
  const features = contents.reduce((sum, app) => sum + app.features.length, 0);
  return (
    <Section
      title="Apps and features"
      note={`version ${number}, ${count(contents.length, "app")}, ${count(features, "feature")}`}
      acts={
        <Link to={matrixOf(stored)} className="more-link">
          Change
          <Icon name="arrow-right" size={14} />
        </Link>
      }
    >
      {contents.length === 0 ? (
        <p className="soft">
          This package contains no apps.{" "}
          <Link to={matrixOf(stored)} className="sentence-link">
            Add apps
          </Link>
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
              {app.features.length === 0 && <p className="softer">It has no features yet.</p>}
            </div>
          ))}
        </div>
      )}
    </Section>
  );
};
