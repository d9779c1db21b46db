import { type Catalog, type CatalogFormat, catalog } from "@purser/contract/catalog/catalog";
import { Document, isCollection, isMap, isSeq, type Scalar, visit } from "yaml";
import { z } from "zod";
import { defaultsOf } from "./defaultRules.ts";
import { inOrder, isSame } from "./orderRules.ts";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Leaves out default values, because the schema adds them again when the file is read. */
const withoutDefaults = (schema: z.core.$ZodType, value: unknown): unknown => {
  if (schema instanceof z.core.$ZodDefault || schema instanceof z.core.$ZodNullable)
    return withoutDefaults(schema._zod.def.innerType, value);
  if (schema instanceof z.core.$ZodArray && Array.isArray(value))
    return value.map((item) => withoutDefaults(schema._zod.def.element, item));
  if (!(schema instanceof z.core.$ZodObject) || !isRecord(value)) return value;
  const defaults = defaultsOf(schema);
  return Object.fromEntries(
    Object.entries(schema._zod.def.shape)
      .filter(([key]) => !Object.hasOwn(defaults, key) || !isSame(value[key], defaults[key]))
      .map(([key, field]) => [key, withoutDefaults(field, value[key])]),
  );
};

// Short collections that are easier to review on one line.
const onOneLine = new Set(["platforms", "unit", "baseGroups"]);
const itemsOnOneLine = new Set(["options", "prices"]);

const layOut = (document: Document) => {
  visit(document, {
    Pair: (_, { key, value }) => {
      const name = String((key as Scalar).value);
      if (onOneLine.has(name) && isCollection(value)) value.flow = true;
      if (itemsOnOneLine.has(name) && isSeq(value))
        for (const item of value.items) if (isCollection(item)) item.flow = true;
    },
    Scalar: (_, node) => {
      // YAML keeps a carriage return only as an escape in a quoted string.
      if (typeof node.value === "string" && node.value.includes("\r")) node.type = "QUOTE_DOUBLE";
    },
  });
  for (const part of ["apps", "packages"]) {
    const list = document.get(part);
    if (!isSeq(list)) continue;
    for (const item of list.items.slice(1)) if (isMap(item)) item.spaceBefore = true;
  }
  return document;
};

/** The same catalog always gives the same text, so that a diff shows only real changes. */
export const writeCatalogFile = (given: Catalog, format: CatalogFormat) => {
  const plain = withoutDefaults(catalog, inOrder(given));
  if (format === "json") return `${JSON.stringify(plain, null, 2)}\n`;
  // Also quotes words that only YAML 1.1 parsers read as something other than a string.
  const document = new Document(plain, {
    version: "1.2",
    compat: "yaml-1.1",
    aliasDuplicateObjects: false,
  });
  return layOut(document).toString({ lineWidth: 0, flowCollectionPadding: true });
};
