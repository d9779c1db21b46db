import { variables } from "../../server/src/config.ts";
import { code, tableOf } from "./markdown.ts";

type Property = { enum?: readonly string[]; minimum?: number; maximum?: number };

const valuesOf = ({ enum: options, minimum, maximum }: Property) => {
  if (options) return options.map(code).join(", ");
  return minimum === undefined ? "" : `${minimum} to ${maximum}`;
};

type Variable = (typeof variables.shape)[keyof typeof variables.shape];

const defaultOf = (schema: Variable) => {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return "required";
  return code(Array.isArray(data) ? data.join(",") : String(data ?? ""));
};

/** Every environment variable. */
export const configurationTable = () => {
  const { properties = {} } = variables.toJSONSchema({
    io: "input",
    unrepresentable: "any",
  });
  return tableOf(
    ["variable", "default", "values", "description"],
    Object.entries(variables.shape).map(([name, schema]) => [
      code(name),
      defaultOf(schema),
      valuesOf((properties[name] ?? {}) as Property),
      schema.description ?? "",
    ]),
  );
};
