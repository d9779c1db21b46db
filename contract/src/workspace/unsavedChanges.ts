import { z } from "zod";
import { id, instant } from "../fields/primitives.ts";
import { token, unfinished } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";

type Values = Record<string, unknown>;

const fieldsMax = 100;
const fieldName = token(
  /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/,
  rule("field_name_invalid", "Enter the name of a field."),
);
const single = z.union([unfinished, z.number(), z.boolean(), z.null()]);

/** The value, a list or an object of it. Each use adds one level, which limits the depth. */
const nested = <Inner extends z.ZodType>(inner: Inner) =>
  z.union([inner, z.array(inner), z.record(fieldName, inner)]);

/** The values of any form; the size is limited by that of the body. */
const formValues: z.ZodType<Values, Values> = z
  .record(fieldName, nested(nested(nested(single))))
  .refine(
    (values) => Object.keys(values).length <= fieldsMax,
    rule("fields_too_many", "Send at most {max} fields.", { max: fieldsMax }),
  )
  .meta({ id: "FormValues", maxProperties: fieldsMax });

const form = token(
  /^[a-z0-9-]{1,120}$/,
  rule("form_name_invalid", "Enter the name of a form, such as apps-create."),
);

const kept = z.strictObject({
  /** The record's version when the form was opened; 0 for a new record. */
  version: z.int().min(0).max(999_999_999),
  /** The record as it was then, to merge changes saved by others. */
  base: formValues,
  values: formValues,
});

/** Unsaved changes of one form, visible only to their user. */
const draft = z.strictObject({ form, ...kept.shape, savedAt: instant }).meta({ id: "Draft" });

const params = z.strictObject({ form });

export const getDraft = endpoint({
  method: "GET",
  path: "/drafts/:form",
  summary: "Retrieve your unsaved changes of a form",
  permission: "signed in",
  params,
  reply: z.strictObject({ draft: draft.nullable() }),
});

export const saveDraft = endpoint({
  method: "PUT",
  path: "/drafts/:form",
  summary: "Save your unsaved changes of a form",
  permission: "signed in",
  params,
  body: z.strictObject({
    /** The user who typed it, because another user may have signed in in another tab. */
    userId: id,
    ...kept.shape,
  }),
  reply: z.strictObject({ savedAt: instant }),
});

export const removeDraft = endpoint({
  method: "DELETE",
  path: "/drafts/:form",
  summary: "Discard your unsaved changes of a form",
  permission: "signed in",
  params,
});
