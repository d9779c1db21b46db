import { cataloguedApp } from "@purser/contract/apps/fields";
import type { Catalogued } from "@purser/contract/catalog/catalog";
import { cataloguedFeature } from "@purser/contract/features/fields";
import { cataloguedPackage } from "@purser/contract/packages/fields";
import { z } from "zod";

/** The values of the fields that a file can leave out. */
export const defaultsOf = (schema: z.core.$ZodObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema._zod.def.shape).flatMap(([key, field]) =>
      field instanceof z.core.$ZodDefault ? [[key, field._zod.def.defaultValue]] : [],
    ),
  );

export const defaults: Record<Catalogued, Record<string, unknown>> = {
  app: defaultsOf(cataloguedApp),
  feature: defaultsOf(cataloguedFeature),
  package: defaultsOf(cataloguedPackage),
};
