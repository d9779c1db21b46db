import { testPath } from "@purser/contract/testMode/paths";
import type { Config } from "../config.ts";
import { placesOf } from "../platform/http/publicUrls.ts";

const connectionsMax = 6;

/** The configuration of the product over the test database, or null without one. */
export const testModeConfig = (config: Config): Config | null => {
  const { TEST_MODE_DATABASE_URL: url, TEST_MODE_MIGRATION_DATABASE_URL: owner } = config;
  if (url === undefined) return null;
  const { basePath, apiBaseUrl, assetsBaseUrl } = placesOf(config);
  return {
    ...config,
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: owner,
    TEST_MODE_DATABASE_URL: undefined,
    TEST_MODE_MIGRATION_DATABASE_URL: undefined,
    BASE_PATH: `${basePath}${testPath}`,
    API_BASE_URL: `${apiBaseUrl}${testPath}`,
    ASSETS_BASE_URL: assetsBaseUrl,
    DATABASE_POOL_SIZE: Math.min(config.DATABASE_POOL_SIZE, connectionsMax),
    DATABASE_POOL_CHECKS: undefined,
    DATABASE_POOL_READS: undefined,
    STRIPE_WEBHOOK_SECRETS: config.TEST_MODE_STRIPE_WEBHOOK_SECRETS,
    STRIPE_SECRET_KEY: config.TEST_MODE_STRIPE_SECRET_KEY,
    PROVIDER_SECRETS: config.TEST_MODE_PROVIDER_SECRETS,
  };
};
