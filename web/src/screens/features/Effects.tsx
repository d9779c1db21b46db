import "#ui/record/Explanation.css";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { combined, readValue, type Shape, type Value } from "@purser/contract/fields/values";
import { featureValue } from "#lib/labels/featureValues.ts";
import { Section } from "#ui/page/Page.tsx";

type Props = { title: string; shape: Shape; defaultValue: Value };

/** An example with two packages: the value of each, and both combined. */
const exampleOf = (shape: Shape): [Value, Value] | null => {
  switch (shape.kind) {
    case "switch":
      return null;
    case "limit":
      return [10, 25];
    case "metered":
      return [100, 500];
    default: {
      const known = shape.options.filter(({ code, name }) => code && name);
      const [first, last] = [known[0], known.at(-1)];
      return first && last && first !== last ? [first.code, last.code] : null;
    }
  }
};

/** Null while the input is incomplete. */
const isValue = (shape: Shape, value: Value) =>
  typeof value === "boolean" || (value !== "" && readValue(shape, String(value)) !== undefined);

/** What customers get without a package and with two, in words. */
export const Effects = ({ title, shape, defaultValue }: Props) => {
  const example = exampleOf(shape);
  const byDefault = isValue(shape, defaultValue) ? featureValue(shape, defaultValue) : "–";
  const included = featureValue(shape, true);
  return (
    <Section title={title}>
      <p className="spoken">
        <Trans>
          Default: <b>{byDefault}</b>
        </Trans>
      </p>
      {shape.kind === "switch" && (
        <p className="spoken">
          <Trans>
            With a package that includes it: <b>{included}</b>
          </Trans>
        </p>
      )}
      {example && (
        <table className="reckoning">
          <caption>{t`Example with two packages`}</caption>
          <tbody>
            <tr>
              <th scope="row">{t`First package`}</th>
              <td>{featureValue(shape, example[0])}</td>
            </tr>
            <tr>
              <th scope="row">{t`Second package`}</th>
              <td>{featureValue(shape, example[1])}</td>
            </tr>
            <tr data-total>
              <th scope="row">{t`Combined`}</th>
              <td>{featureValue(shape, combined(shape, example))}</td>
            </tr>
          </tbody>
        </table>
      )}
    </Section>
  );
};
