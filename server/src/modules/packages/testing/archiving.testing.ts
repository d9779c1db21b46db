import { archiveApp, getApp, restoreApp } from "@purser/contract/apps/endpoints";
import { archiveFeature, getFeature, restoreFeature } from "@purser/contract/features/endpoints";
import { expect } from "vitest";
import type { TestProduct } from "../../../testing.ts";

type TeamMember = Awaited<ReturnType<TestProduct["signIn"]>>;
type Contents = { app: { id: string }; feature: { id: string } };

const endpoints = {
  app: { read: getApp, archive: archiveApp, restore: restoreApp },
  feature: { read: getFeature, archive: archiveFeature, restore: restoreFeature },
} as const;

export const archivableParts = ["app", "feature"] as const;
type Part = (typeof archivableParts)[number];

/** Archives and restores an app or a feature of a package over HTTP, whatever its version is. */
export const archivingIn = ({ call }: TestProduct, admin: TeamMember) => {
  const act = async (action: "archive" | "restore", part: Part, contents: Contents) => {
    const params = { id: contents[part].id };
    const { read, [action]: endpoint } = endpoints[part];
    const { version } = (await call(admin, read, { params })).body;
    const done = await call(admin, endpoint, { params, version, body: {} });
    expect(done.status, done.text).toBe(200);
    return done.body;
  };
  return {
    archive: (part: Part, contents: Contents) => act("archive", part, contents),
    restore: (part: Part, contents: Contents) => act("restore", part, contents),
  };
};
