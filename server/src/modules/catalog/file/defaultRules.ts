import { catalogApp } from "@purser/contract/apps/fields";
import type { CatalogEntity } from "@purser/contract/catalog/catalog";
import { catalogFeature } from "@purser/contract/features/fields";
import { catalogPackage } from "@purser/contract/packages/fields";
import { z } from "zod";

/** The values of the fields that a file can leave out. */
export const defaultsOf = (schema: z.core.$ZodObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema._zod.def.shape).flatMap(([key, field]) =>
      field instanceof z.core.$ZodDefault ? [[key, field._zod.def.defaultValue]] : [],
    ),
  );

export const defaults: Record<CatalogEntity, Record<string, unknown>> = {
  app: defaultsOf(catalogApp),
  feature: defaultsOf(catalogFeature),
  package: defaultsOf(catalogPackage),
};
