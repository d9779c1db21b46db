import { z } from "zod";
import { plain, timeZone, token } from "../fields/text.ts";

/** How long a path may not be reloaded again by itself, after a part of it could not be loaded. */
export const reloadGuardMs = 10_000;
/** How long after the first screen the description of its own build is read. */
export const manifestDelayMs = 1000;

const buildId = token(/^[a-f0-9]{16}$/, "must be a build's id");
const milliseconds = z.int().min(0).max(86_400_000);
export const iconProviders = ["server", "iconify", "none"] as const;

/** What a page knows before anybody signs in. Nothing else gets into it. */
export const runtime = z.strictObject({
  company: plain,
  environment: z.enum(["live", "test"]),
  version: plain,
  companyTimeZone: timeZone,
  /** What stands before every page's path; nothing, or such as `/office`. */
  basePath: plain,
  /** Without a slash at its end. */
  apiBaseUrl: plain,
  /** Where files of builds are, with a slash at its end. */
  assetsBaseUrl: plain,
  build: z.strictObject({ id: buildId, timestamp: z.int() }),
  versionCheck: z.strictObject({ manifestDelayMs: milliseconds, intervalMs: milliseconds }),
  reloadGuardMs: milliseconds,
  icons: z.strictObject({
    provider: z.enum(iconProviders),
    localEndpoint: plain,
    publicEndpoint: plain,
    /** Whether the public service is asked for what the local one lacks. */
    fallback: z.boolean(),
  }),
});
export type Runtime = z.output<typeof runtime>;

// A newer release may write more into these than an older instance knows.
/** `builds/latest.json`: the release that new pages are of. */
export const latestBuild = z.object({
  id: buildId,
  timestamp: z.int(),
  /** Pages of builds older than this one may read, but not write. */
  minClient: buildId.nullable(),
});
export type LatestBuild = z.output<typeof latestBuild>;

/** `builds/meta/{id}.json`: a build that was released once. */
export const buildMeta = z.object({
  ...latestBuild.shape,
  version: plain,
  commit: plain.nullable(),
  routes: z.array(plain),
  files: z.array(plain),
});
export type BuildMeta = z.output<typeof buildMeta>;
