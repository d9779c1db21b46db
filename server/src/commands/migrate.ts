import { migrate } from "../platform/db/migrate.ts";
import { type Command, ownerUrl } from "./command.ts";

export const runMigrations: Command = async (config, { print }) => {
  const applied = await migrate(ownerUrl(config));
  print(
    applied.length > 0
      ? `Applied migrations: ${applied.join(", ")}.\n`
      : "The database is up to date.\n",
  );
};
