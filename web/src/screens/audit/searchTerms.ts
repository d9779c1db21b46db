import { entityLabels } from "#ui/record/auditEntities.ts";
import { columnNames } from "#ui/record/columnNames.ts";

const fieldsMax = 100;

const namedLike = (names: Record<string, string | undefined>, typed: string) => {
  const wanted = typed.toLowerCase();
  return Object.entries(names)
    .filter(([, name]) => name?.toLowerCase().includes(wanted))
    .map(([key]) => key);
};

/** The fields and types of records whose names contain a text in the user's language. */
export const termsIn = (typed: string) => {
  const fields = namedLike(columnNames, typed).slice(0, fieldsMax).join(",");
  const types = namedLike(entityLabels, typed).join(",");
  return { ...(fields && { fields }), ...(types && { types }) };
};
