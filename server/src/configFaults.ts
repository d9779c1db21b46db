import { sizesOf } from "./platform/db/poolSizes.ts";

type Pools = Parameters<typeof sizesOf>[0] & {
  DATABASE_POOLING: "session" | "transaction";
  MIGRATION_DATABASE_URL?: string | undefined;
};

/** What is wrong with the variables of the connections together. */
export const poolsFault = (config: Pools) => {
  if (sizesOf(config).writes < 2)
    return "DATABASE_POOL_CHECKS and DATABASE_POOL_READS must leave at least 2 of DATABASE_POOL_SIZE for changes.";
  if (config.DATABASE_POOLING === "transaction" && !config.MIGRATION_DATABASE_URL)
    return "DATABASE_POOLING=transaction requires MIGRATION_DATABASE_URL, a direct connection to PostgreSQL.";
  return null;
};

type TestMode = {
  DATABASE_URL: string;
  MIGRATION_DATABASE_URL?: string | undefined;
  DATABASE_POOLING: "session" | "transaction";
  TEST_MODE_DATABASE_URL?: string | undefined;
  TEST_MODE_MIGRATION_DATABASE_URL?: string | undefined;
};

/** What is wrong with the variables of test mode together. */
export const testModeFault = ({
  DATABASE_URL,
  MIGRATION_DATABASE_URL,
  DATABASE_POOLING,
  TEST_MODE_DATABASE_URL: url,
  TEST_MODE_MIGRATION_DATABASE_URL: owner,
}: TestMode) => {
  const live = [DATABASE_URL, MIGRATION_DATABASE_URL];
  if (url && live.includes(url))
    return "TEST_MODE_DATABASE_URL must be another database than DATABASE_URL.";
  if (owner && live.includes(owner))
    return "TEST_MODE_MIGRATION_DATABASE_URL must be another database than the live one.";
  if (owner && !url) return "TEST_MODE_MIGRATION_DATABASE_URL requires TEST_MODE_DATABASE_URL.";
  if (url && !owner && DATABASE_POOLING === "transaction")
    return "DATABASE_POOLING=transaction requires TEST_MODE_MIGRATION_DATABASE_URL, a direct connection to PostgreSQL.";
  return null;
};
