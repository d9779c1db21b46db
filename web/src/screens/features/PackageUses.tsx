import { wordsOf } from "@purser/contract/fields/values";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/labels.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import { type Feature, type FeatureUse, usesQuery } from "./queries.ts";

const stateLabels: Record<FeatureUse["state"], StatusWord> = {
  draft: { word: "Draft", icon: "circle-dashed", tone: "mute" },
  scheduled: { word: "Scheduled", icon: "clock", tone: "info" },
  "on sale": { word: "On sale", icon: "circle-check", tone: "ok", quiet: true },
  superseded: { word: "Superseded", icon: "history", tone: "mute", quiet: true },
  retired: { word: "Retired", icon: "archive", tone: "mute", quiet: true },
};

/** The package versions that include the feature, with their values. */
export const PackageUses = ({ feature }: { feature: Feature }) => {
  const { data: uses, error, refetch } = useQuery(usesQuery(feature.id));
  if (error && !uses)
    return <Failed what="Where it is used" error={error} onRetry={() => refetch()} />;
  return (
    <Section title="Where used" note={uses && uses.length > 0 && number(uses.length)}>
      {uses?.length === 0 ? (
        <p className="soft">
          No package gives it yet. People have what stands for “without a package”.
        </p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Package</th>
                <th scope="col">Version</th>
                <th scope="col">State</th>
                <th scope="col">Gives</th>
                <th scope="col" data-align="end">
                  Holders
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
                  <td>{wordsOf(feature, use.value)}</td>
                  <td data-align="end">{number(use.holders)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
};

/** The options, lowest first. */
export const Options = ({ feature }: { feature: Feature }) => (
  <Section title="Options" note="lowest first; a later one gives more">
    <div className="scroll-x">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Option</th>
            <th scope="col">Code</th>
            <th scope="col">In use</th>
          </tr>
        </thead>
        <tbody>
          {feature.options.map(({ code, name }) => (
            <tr key={code}>
              <th scope="row">{name}</th>
              <td className="mono soft">{code}</td>
              <td className="soft">
                {[
                  code === feature.defaultValue && "without a package",
                  feature.usedOptions.includes(code) && "in packages",
                ]
                  .filter(Boolean)
                  .join(", ") || "no"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Section>
);
