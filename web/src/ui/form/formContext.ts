import type { FieldDeclarations } from "@purser/contract/fields/declarations";
import { createContext, use } from "react";
import type { FormLabels } from "./Field.tsx";
import type { RecordForm } from "./useRecordForm.ts";

export type Values = Record<string, unknown>;

type FormContext = {
  record: RecordForm<Values>;
  words: FormLabels<Values>;
  fields: FieldDeclarations;
  /** Why a field can't be changed, by its name. */
  locked: Readonly<Record<string, string | undefined>>;
};

type Around<V extends Values> = {
  record: RecordForm<V>;
  words: FormLabels<V>;
  fields: FieldDeclarations | undefined;
  locked: { [Name in keyof V]?: string | undefined } | undefined;
};

/** The form without its field types; `inputsOf` restores the names. */
export const toFormContext = <V extends Values>({ fields = {}, locked = {}, ...form }: Around<V>) =>
  ({ ...form, fields, locked }) as unknown as FormContext;

const context = createContext<FormContext | null>(null);

export const FormProvider = context;

export const useFormContext = () => {
  const found = use(context);
  if (!found) throw new Error("This input belongs inside a RecordPage.");
  return found;
};
