import type { Config } from "../config.ts";
import { testModeConfig } from "../testMode/config.ts";

/** Runs a command over the live database, and then over the one of test mode if it is configured. */
export const inBothModes = async (
  config: Config,
  print: (text: string) => unknown,
  work: (one: Config) => Promise<void>,
) => {
  await work(config);
  const testConfig = testModeConfig(config);
  if (!testConfig) return;
  print("\nTest mode:\n");
  await work(testConfig);
};
