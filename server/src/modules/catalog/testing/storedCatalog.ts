import type { App } from "@purser/contract/apps/fields";
import type { Catalog } from "@purser/contract/catalog/catalog";
import type { Feature } from "@purser/contract/features/fields";
import type { StoredCatalog } from "../diff/outcomeRules.ts";

const moment = new Date("2026-03-01T09:00:00Z");
const row = { version: 1, createdAt: moment, updatedAt: moment };

/** A workspace with exactly these records. */
export const storedCatalogWith = ({ apps, packages }: Catalog): StoredCatalog => {
  const stored = apps.map(
    ({ features: _, ...one }): App => ({
      ...one,
      ...row,
      id: one.code,
      codeFrozen: one.status !== "draft",
      keys: 0,
      suspendedAt: null,
    }),
  );
  return {
    apps: stored,
    features: apps.flatMap(({ code: appCode, name, icon, features }) =>
      features.map(
        (one): Feature => ({
          ...one,
          ...row,
          id: `${appCode}/${one.code}`,
          app: { id: appCode, code: appCode, name, icon },
          frozen: false,
          usedOptions: [],
          packages: 0,
        }),
      ),
    ),
    packages: packages.map((one) => ({
      ...one,
      id: one.code,
      status: one.status ?? "active",
      newest: { id: one.code, number: 1, state: "on sale" },
      scheduled: null,
    })),
  };
};
