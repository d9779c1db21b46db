import { variables } from "./config.ts";

const header = `# Each variable can also be given as a file that contains its value, with _FILE after its name, such as
# SECRET_KEYS_FILE=/run/secrets/secret_keys. Setting both is an error.
`;

/** The text of `.env.example`. Variables with a default are commented out. */
export const exampleEnvironment = () =>
  `${header}\n${Object.entries(variables.shape)
    .map(([name, schema]) => {
      const { example } = schema.meta() ?? {};
      const value = typeof example === "function" ? "" : String(example ?? "");
      const fallback = schema.safeParse(undefined).success
        ? String(schema.safeParse(undefined).data ?? "")
        : null;
      return `# ${schema.description}\n${fallback === null ? `${name}=${value}` : `# ${name}=${fallback}`}\n`;
    })
    .join("\n")}`;
