import { readFileSync, statSync } from "node:fs";
import {
  type BuildMeta,
  buildMeta,
  type LatestBuild,
  latestBuild,
} from "@purser/contract/pages/runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isSafe } from "#platform/auth/guard.ts";
import { message } from "../../messages.ts";
import { Problem } from "../problem.ts";

export type Release = LatestBuild & {
  /** The document of the page, with placeholders for the server. */
  page: string;
};

/** The builds in a folder that instances can share. Each reads the folder, so that all agree. */
export const openReleases = (folder: URL, onFailure: (error: unknown) => void) => {
  const latestFile = new URL("builds/latest.json", folder);
  const metas = new Map<string, BuildMeta | null>();
  let read: { mark: string; release: Release } | null = null;
  let failure = "";

  /** Logged once, not with every request. */
  const tell = (error: unknown) => {
    if (failure === String(error)) return;
    failure = String(error);
    onFailure(error);
  };

  const readRelease = (): Release => {
    const latest = latestBuild.parse(JSON.parse(readFileSync(latestFile, "utf8")));
    const page = readFileSync(new URL(`builds/pages/${latest.id}.html`, folder), "utf8");
    return { ...latest, page };
  };

  return {
    /**
     * The current release, or null before the first. Checking the date of the file is cheap enough for every
     * request. While the file can't be read, the previous release stays.
     */
    latest: (): Release | null => {
      try {
        const { mtimeMs, ino } = statSync(latestFile);
        const mark = `${mtimeMs} ${ino}`;
        if (read?.mark !== mark) read = { mark, release: readRelease() };
        failure = "";
      } catch (error) {
        tell(error);
      }
      return read?.release ?? null;
    },
    /** A build that was released before, unless it was deleted. */
    metaOf: (id: string): BuildMeta | null => {
      if (!/^[a-f0-9]{16}$/.test(id)) return null;
      const known = metas.get(id);
      if (known) return known;
      try {
        const file = new URL(`builds/meta/${id}.json`, folder);
        const meta = buildMeta.parse(JSON.parse(readFileSync(file, "utf8")));
        metas.set(id, meta);
        return meta;
      } catch {
        return null;
      }
    },
  };
};
export type Releases = ReturnType<typeof openReleases>;

const isOutdated = (releases: Releases, client: string) => {
  const minClient = releases.latest()?.minClient ?? null;
  if (minClient === null || client === minClient) return false;
  const [own, least] = [releases.metaOf(client), releases.metaOf(minClient)];
  return !own || !least || own.timestamp < least.timestamp;
};

const clientOutdated = () =>
  new Problem(
    "client_outdated",
    message(
      "client_outdated",
      "Purser was updated. Reload the page to save. Your changes are kept.",
    ),
  );

/**
 * Every reply has the id of the newest release, so that an open page learns it with its next request. Writes of a
 * page that is too old are refused. A request without a build id doesn't come from a page.
 */
export const followReleases = (app: FastifyInstance, releases: Releases) => {
  app.addHook("onRequest", ({ routeOptions }, reply, done) => {
    // Sold apps have no pages, and their checks are the most frequent requests.
    const release = routeOptions.config.permission === "app key" ? null : releases.latest();
    if (release) reply.header("x-build-id", release.id);
    done();
  });
  const isRefused = (request: FastifyRequest) => {
    const { config, url = "" } = request.routeOptions;
    const client = request.headers["x-client-build"];
    if (typeof client !== "string" || isSafe(request)) return false;
    // Signing in again and saving drafts always work, so that no input is lost.
    if (config.permission === "anyone" || url.startsWith("/api/drafts/")) return false;
    return isOutdated(releases, client);
  };
  app.addHook("preHandler", (request, _reply, done) =>
    isRefused(request) ? done(clientOutdated()) : done(),
  );
};
