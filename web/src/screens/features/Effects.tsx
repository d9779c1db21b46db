import "#ui/record/Explanation.css";
import {
  combined,
  readValue,
  type Shape,
  type Value,
  wordsOf,
} from "@purser/contract/fields/values";
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
  return (
    <Section title={title}>
      <p className="spoken">
        Without a package:{" "}
        <b>{isValue(shape, defaultValue) ? wordsOf(shape, defaultValue) : "–"}</b>.
      </p>
      {shape.kind === "switch" && (
        <p className="spoken">
          With a package that has it: <b>{wordsOf(shape, true)}</b>.
        </p>
      )}
      {example && (
        <table className="reckoning">
          <caption>With two packages, for example</caption>
          <tbody>
            <tr>
              <th scope="row">One gives</th>
              <td>{wordsOf(shape, example[0])}</td>
            </tr>
            <tr>
              <th scope="row">Another gives</th>
              <td>{wordsOf(shape, example[1])}</td>
            </tr>
            <tr data-total>
              <th scope="row">Together</th>
              <td>{wordsOf(shape, combined(shape, example))}</td>
            </tr>
          </tbody>
        </table>
      )}
    </Section>
  );
};
