import { writeFile } from "node:fs/promises";
import type { Option } from "@purser/contract/fields/values";
import type { Db } from "../platform/db/db.ts";
import { type Command, connectTo, UsageError } from "./command.ts";

const findApps = async (db: Db) => {
  const rows = await db.selectFrom("apps").select("code").orderBy("code").execute();
  return rows.map(({ code }) => code);
};

const findFeatures = (db: Db, app: string) =>
  db
    .selectFrom("features")
    .innerJoin("apps", "apps.id", "features.appId")
    .select(["features.code", "features.kind", "features.options", "features.name"])
    .where("apps.code", "=", app)
    .orderBy("features.code")
    .execute();

type Feature = Awaited<ReturnType<typeof findFeatures>>[number];

const typeOf = ({ kind, options }: Feature) => {
  if (kind === "switch") return "boolean";
  if (kind !== "choice") return 'number | "unlimited"';
  return (options as Option[]).map(({ code }) => JSON.stringify(code)).join(" | ");
};

// The name of a feature must not end the comment.
const lineOf = (feature: Feature) =>
  `      /** ${feature.name.replaceAll("*/", "* /")} */
      ${JSON.stringify(feature.code)}: ${typeOf(feature)};`;

const fileOf = (
  app: string,
  features: readonly Feature[],
) => `// Written by: purser types --app ${app}
import "@purser/client";

declare module "@purser/client" {
  interface Register {
    features: {
${features.map(lineOf).join("\n")}
    };
  }
}
`;

const chooseApp = (given: string | undefined, apps: readonly string[]) => {
  const [only] = apps;
  const app = given ?? (apps.length === 1 ? only : undefined);
  if (app !== undefined && apps.includes(app)) return app;
  const listed = apps.length > 0 ? `Apps: ${apps.join(", ")}.` : "There are no apps.";
  throw new UsageError(
    app === undefined ? `Choose an app with --app. ${listed}` : `No app "${app}". ${listed}`,
  );
};

/** Writes the codes of an app's features as literal types, so that an unknown code is a type error. */
export const writeTypes: Command = async (config, { app: given, rest: [file], print }) => {
  const { db } = connectTo(config, "purser types");
  try {
    const app = chooseApp(given, await findApps(db));
    const text = fileOf(app, await findFeatures(db, app));
    if (file === undefined || file === "-") print(text);
    else await writeFile(file, text);
  } finally {
    await db.destroy();
  }
};
