import { z } from "zod";
import type { Field, ListField } from "../http/list.ts";

type InList = Field & {
  /** If the list uses another label than the record's page. */
  label?: string;
};

type InForm = {
  /** If the form uses another label than the record's page. */
  label?: string;
  help?: string;
  placeholder?: string;
  type?: "email" | "url";
  /** Multi-line text. */
  lines?: true;
  /** For codes and ids: monospaced, without spell checking. */
  mono?: true;
};

/**
 * One field of an entity. By default a writable field can be reverted and a readable one is exported. A field
 * that is neither only has a label for the history.
 */
export type FieldDeclaration = {
  label: string;
  /** Its name in the database and the history, if different. */
  column?: string;
  /** Schema in requests. */
  write?: z.ZodType;
  /** Schema in replies. */
  read?: z.ZodType;
  /** Filtering and sorting in lists. */
  list?: InList;
  form?: InForm;
  export?: false;
  revert?: false;
};
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** The fields of an entity, from which schemas, lists, exports, forms and the history derive. */
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

export const writeShape = <F extends FieldDeclarations>(declared: F) =>
  shapeOf(declared, "write") as Shape<F, "write">;

export const readShape = <F extends FieldDeclarations>(declared: F) =>
  shapeOf(declared, "read") as Shape<F, "read">;

type ListFieldsOf<F> = {
  -readonly [Name in NamesWith<F, "list">]: F[Name] extends { list: infer L }
    ? L & { label: string }
    : never;
};

/** The fields of a list with their labels. */
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

/** The columns of an export. */
export const exportColumnsOf = <F extends FieldDeclarations>(declared: F) =>
  namesWhere(declared, (one) => Boolean(one.read) && one.export !== false) as Exported<F>[];

export const writeNamesOf = <F extends FieldDeclarations>(declared: F) =>
  namesWhere(declared, (one) => Boolean(one.write)) as NamesWith<F, "write">[];

const columnOf = (declared: FieldDeclarations, name: string) => declared[name]?.column ?? name;

/** The fields that can be reverted, by their names in the history. */
export const revertColumnsOf = (declared: FieldDeclarations) =>
  namesWhere(declared, (one) => Boolean(one.write) && one.revert !== false).map((name) =>
    columnOf(declared, name),
  );

/** The field of each column in the history. */
export const namesByColumn = (declared: FieldDeclarations): Record<string, string> =>
  Object.fromEntries(Object.keys(declared).map((name) => [columnOf(declared, name), name]));

type Labels<F> = {
  [Name in keyof F as F[Name] extends { column: infer C extends string } ? C : Name]: string;
};

/** The label of each column in the history. */
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

/** The default values of fields; required fields have none. */
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

/** The limits of a text schema, for inputs. */
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
