import { z } from "zod";
import type { Field, ListField } from "../http/list.ts";

type InList = Field & {
  /** Where the list uses another word than the record's own page. */
  label?: string;
};

type InForm = {
  /** Where the form uses another word than the record's own page. */
  label?: string;
  help?: string;
  placeholder?: string;
  type?: "email" | "url" | "datetime-local";
  /** A text of several lines. */
  lines?: true;
  /** For codes and ids: monospaced, without spell checking. */
  mono?: true;
};

/**
 * One field of an entity. A field that can be written can be reverted, and one that can be read is in the exported
 * file, unless it says otherwise. One that is neither has a label for the history only.
 */
export type FieldDeclaration = {
  label: string;
  /** Its name in the database and in the history, where that is another. */
  column?: string;
  /** What a request may hold. */
  write?: z.ZodType;
  /** What a reply holds. */
  read?: z.ZodType;
  /** How a list filters and sorts by it. */
  list?: InList;
  form?: InForm;
  export?: false;
  revert?: false;
};
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** The one list of an entity's fields. Schemas, lists, files, forms and the history derive from it. */
export const fields = <const F extends FieldDeclarations>(declared: F): F => declared;

export type NamesWith<F, Key extends keyof FieldDeclaration> = {
  [Name in keyof F]: F[Name] extends { [K in Key]: unknown } ? Name : never;
}[keyof F] &
  string;

type Shape<F, Key extends "write" | "read"> = {
  -readonly [Name in NamesWith<F, Key>]: F[Name] extends Record<Key, infer S extends z.ZodType>
    ? S
    : never;
};

const shapeOf = (declared: FieldDeclarations, key: "write" | "read") =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, { [key]: schema }]) =>
      schema ? [[name, schema]] : [],
    ),
  );

/** What may be written, as the shape of an object. */
export const writeShape = <F extends FieldDeclarations>(declared: F) =>
  shapeOf(declared, "write") as Shape<F, "write">;

/** What is read, as the shape of an object. */
export const readShape = <F extends FieldDeclarations>(declared: F) =>
  shapeOf(declared, "read") as Shape<F, "read">;

type ListFieldsOf<F> = {
  -readonly [Name in NamesWith<F, "list">]: F[Name] extends { list: infer L }
    ? L & { label: string }
    : never;
};

/** What a list can be filtered and sorted by, with what it is called there. */
export const listFieldsOf = <F extends FieldDeclarations>(declared: F) =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, { label, list }]): [string, ListField][] =>
      list ? [[name, { ...list, label: list.label ?? label }]] : [],
    ),
  ) as unknown as ListFieldsOf<F>;

const namesWhere = (
  declared: FieldDeclarations,
  isMeant: (declaration: FieldDeclaration) => boolean,
) => Object.keys(declared).filter((name) => isMeant(declared[name] as FieldDeclaration));

type Exported<F> = {
  [Name in NamesWith<F, "read">]: F[Name] extends { export: false } ? never : Name;
}[NamesWith<F, "read">];

/** The columns of an exported file. */
export const exportColumnsOf = <F extends FieldDeclarations>(declared: F) =>
  namesWhere(declared, (one) => Boolean(one.read) && one.export !== false) as Exported<F>[];

/** The names of what may be written. */
export const writeNamesOf = <F extends FieldDeclarations>(declared: F) =>
  namesWhere(declared, (one) => Boolean(one.write)) as NamesWith<F, "write">[];

const columnOf = (declared: FieldDeclarations, name: string) => declared[name]?.column ?? name;

/** What an entry of the audit log can be reverted in, by the names of the history. */
export const revertColumnsOf = (declared: FieldDeclarations) =>
  namesWhere(declared, (one) => Boolean(one.write) && one.revert !== false).map((name) =>
    columnOf(declared, name),
  );

/** The field that a column of the history belongs to. */
export const namesByColumn = (declared: FieldDeclarations): Record<string, string> =>
  Object.fromEntries(Object.keys(declared).map((name) => [columnOf(declared, name), name]));

type Labels<F> = {
  [Name in keyof F as F[Name] extends { column: infer C extends string } ? C : Name]: string;
};

/** What each column is called in the history. */
export const historyLabelsOf = <F extends FieldDeclarations>(declared: F) =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { label }]) => [columnOf(declared, name), label]),
  ) as Labels<F>;

type Defaults<F> = {
  -readonly [Name in keyof F as F[Name] extends { write: z.ZodDefault }
    ? Name
    : never]: F[Name] extends {
    write: infer S extends z.ZodDefault;
  }
    ? Exclude<z.input<S>, undefined>
    : never;
};

/** What is written where a request leaves a field out; fields that must be there have none. */
export const defaultsOf = <F extends FieldDeclarations>(declared: F) =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, { write }]) =>
      write instanceof z.ZodDefault ? [[name, write.def.defaultValue]] : [],
    ),
  ) as unknown as Defaults<F>;

const innermost = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? innermost(schema.unwrap())
    : schema;

const maxLengthOf = (schema: z.core.$ZodType) => {
  const declared = z.globalRegistry.get(schema)?.["maxLength"];
  if (typeof declared === "number") return declared;
  return schema instanceof z.ZodString || schema instanceof z.ZodEmail ? schema.maxLength : null;
};

/** What an input needs to know of a schema for text. */
export const limitsOf = (schema: z.ZodType) => {
  const isNullable = schema.safeParse(null).success;
  return {
    max: maxLengthOf(innermost(schema)),
    isNullable,
    isOptional: isNullable || schema.safeParse("").success,
  };
};

/** These fields of a record, in this order. */
export const pick = <T extends object, Name extends keyof T>(
  record: T,
  names: readonly Name[],
): Pick<T, Name> => Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, Name>;
