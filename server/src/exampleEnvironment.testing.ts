import { variables } from "./config.ts";

/** The text of `.env.example`. Variables with a default are commented out. */
export const exampleEnvironment = () =>
  `${Object.entries(variables.shape)
    .map(([name, schema]) => {
      const { example } = schema.meta() ?? {};
      const value = typeof example === "function" ? "" : String(example ?? "");
      const fallback = schema.safeParse(undefined).success
        ? String(schema.safeParse(undefined).data ?? "")
        : null;
      return `# ${schema.description}\n${fallback === null ? `${name}=${value}` : `# ${name}=${fallback}`}\n`;
    })
    .join("\n")}`;
