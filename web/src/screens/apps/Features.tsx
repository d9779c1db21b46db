import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { featureValue } from "#lib/labels/featureValues.ts";
import { useMay } from "#lib/session/session.ts";
import { type Feature, featuresOfAppQuery } from "#screens/features/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { totalLabels } from "#ui/list/Pager.tsx";
import { FeatureKind } from "#ui/money/FeatureKind.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import type { App } from "./queries.ts";

const FeatureRow = ({ feature }: { feature: Feature }) => (
  <tr>
    <th scope="row">
      <Link to="/feature/view/$id" params={{ id: feature.id }}>
        {feature.name}
      </Link>
    </th>
    <td className="mono soft">{feature.code}</td>
    <td className="soft">
      <FeatureKind kind={feature.kind} />
    </td>
    <td>{featureValue(feature, feature.defaultValue)}</td>
    <td>
      <Status status={lifeLabels[feature.status]} />
    </td>
  </tr>
);

const AddFeature = ({ app: { id, status } }: { app: App }) => {
  const mayWrite = useMay("features:write");
  if (!mayWrite || status === "archived") return null;
  return (
    <Button
      component={Link}
      to="/feature/create"
      search={{ app: id } as never}
      variant="default"
      size="xs"
      leftSection={<Icon name="plus" size={14} />}
    >
      {t`Add feature`}
    </Button>
  );
};

/** The features of the app that packages can include. */
export const Features = ({ app }: { app: App }) => {
  const { data, error, refetch } = useQuery(featuresOfAppQuery(app.id));
  if (error && !data)
    return <Failed title={t`Couldn't load features`} error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title={t`Features`}
      note={data?.total && data.total.count > 0 && totalLabels(data.total)}
      actions={<AddFeature app={app} />}
    >
      {data?.items.length === 0 ? (
        <p className="soft">
          {t`No features yet. Add what packages can include, such as a switch or a limit.`}
        </p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Feature`}</th>
                <th scope="col">{t`Code`}</th>
                <th scope="col">{t`Type`}</th>
                <th scope="col">{t`Default value`}</th>
                <th scope="col">{t`Status`}</th>
              </tr>
            </thead>
            <tbody>
              {data?.items.map((feature) => (
                <FeatureRow key={feature.id} feature={feature} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && data.items.length > 0 && (
        <p className="table-foot">
          <Link to="/feature" search={{ f: [`app:any:${app.id}`] }} className="sentence-link">
            {t`View all features`}
          </Link>
        </p>
      )}
    </Section>
  );
};
