import { z } from "zod";
import { plain, timeZone, token } from "../fields/text.ts";
import { rule } from "../messages/rules.ts";

/** How long a path is not reloaded automatically again after a missing chunk. */
export const reloadGuardMs = 10_000;
/** The delay after the first screen before the build's manifest is read. */
export const manifestDelayMs = 1000;

const buildId = token(/^[a-f0-9]{16}$/, rule("build_id_invalid", "Send the ID of a build."));
const milliseconds = z.int().min(0).max(86_400_000);
export const iconProviders = ["server", "iconify", "none"] as const;

/** The configuration of a page before sign-in. Must not contain anything private. */
export const runtime = z.strictObject({
  company: plain,
  environment: z.enum(["live", "test"]),
  /** Whether pages show live or test mode. */
  mode: z.enum(["live", "test"]),
  /** The path of the first page of the other mode. Empty without test mode. */
  otherMode: plain,
  /** How far the clock of test mode is ahead. */
  clockAheadMs: z.int().min(0),
  version: plain,
  companyTimeZone: timeZone,
  /** The prefix of every page's path, such as `/admin`; may be empty. */
  basePath: plain,
  /** Without a trailing slash. */
  apiBaseUrl: plain,
  /** Where build files are, with a trailing slash. */
  assetsBaseUrl: plain,
  build: z.strictObject({ id: buildId, timestamp: z.int() }),
  versionCheck: z.strictObject({ manifestDelayMs: milliseconds, intervalMs: milliseconds }),
  reloadGuardMs: milliseconds,
  /** Whether calls start a trace (OpenTelemetry). */
  traces: z.boolean(),
  icons: z.strictObject({
    provider: z.enum(iconProviders),
    localEndpoint: plain,
    publicEndpoint: plain,
    /** Whether the public service is used for icons that the local one lacks. */
    fallback: z.boolean(),
  }),
});
export type Runtime = z.output<typeof runtime>;

// A newer release may add fields that an older instance doesn't know.
/** `builds/latest.json`: the release of new pages. */
export const latestBuild = z.object({
  id: buildId,
  timestamp: z.int(),
  /** Pages of older builds can read but not write. */
  minClient: buildId.nullable(),
});
export type LatestBuild = z.output<typeof latestBuild>;

/** `builds/meta/{id}.json`: a released build. */
export const buildMeta = z.object({
  ...latestBuild.shape,
  version: plain,
  commit: plain.nullable(),
  routes: z.array(plain),
  files: z.array(plain),
});
export type BuildMeta = z.output<typeof buildMeta>;
