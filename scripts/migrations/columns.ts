import type { ColumnDef, Constraint, Node } from "libpg-query";
import type { Alteration, ParsedMigration } from "./parse.ts";
import { namesIn } from "./parse.ts";

// Rules for columns and constraints of tables that exist before the migration.

/** Their value is the same for all rows, so PostgreSQL stores it once. */
const stableFunctions = new Set(["now", "transaction_timestamp", "statement_timestamp"]);

const isConstant = (node: Node | undefined): boolean => {
  if (!node) return false;
  if ("A_Const" in node || "SQLValueFunction" in node) return true;
  if ("TypeCast" in node) return isConstant(node.TypeCast.arg);
  if ("A_ArrayExpr" in node) return (node.A_ArrayExpr.elements ?? []).every(isConstant);
  return "FuncCall" in node && stableFunctions.has(namesIn(node.FuncCall.funcname).join("."));
};

const constraintsOf = ({ constraints = [] }: ColumnDef) =>
  constraints.flatMap((one) => ("Constraint" in one ? [one.Constraint] : []));

const isSerial = ({ typeName }: ColumnDef) => /serial/.test(namesIn(typeName?.names).join("."));

const addedColumnFaults = (table: string, column: ColumnDef) => {
  const constraints = constraintsOf(column);
  const find = (type: Constraint["contype"]) => constraints.find((one) => one.contype === type);
  const name = `${table}.${column.colname}`;
  const byDefault = find("CONSTR_DEFAULT");
  const isFilled = isSerial(column) || find("CONSTR_IDENTITY") || find("CONSTR_GENERATED");
  return [
    isFilled || (byDefault && !isConstant(byDefault.raw_expr))
      ? `${name} gets a value for each row, which rewrites the table. Add the column without a default, then set the default, and fill it with a backfill.`
      : "",
    find("CONSTR_NOTNULL") && !byDefault && !isFilled
      ? `${name} is NOT NULL without a default, so existing rows and inserts of the previous release fail. Add a default, or make it nullable.`
      : "",
    find("CONSTR_CHECK") || (find("CONSTR_FOREIGN") && byDefault)
      ? `The constraint of ${name} checks all rows while the table is locked. Add it as a table constraint with NOT VALID, and validate it in a later migration.`
      : "",
    find("CONSTR_UNIQUE") || find("CONSTR_PRIMARY")
      ? `${name} builds an index while the table is locked. Build a unique index concurrently.`
      : "",
  ];
};

const addedConstraintFault = (table: string, constraint: Constraint) => {
  const { contype, conname, skip_validation, indexname } = constraint;
  const name = `The constraint ${conname ?? "without a name"} of ${table}`;
  if (contype === "CONSTR_EXCLUSION") return `${name} builds an index while the table is locked.`;
  if (contype === "CONSTR_UNIQUE" || contype === "CONSTR_PRIMARY")
    return indexname
      ? ""
      : `${name} builds an index while the table is locked. Build it concurrently, then add the constraint with USING INDEX.`;
  return skip_validation
    ? ""
    : `${name} checks all rows while the table is locked. Add NOT VALID, and validate it in a later migration.`;
};

export const columnFaults = ({ alterations }: ParsedMigration) =>
  alterations.flatMap(({ table, command: { subtype, name, def } }) => {
    if (subtype === "AT_AlterColumnType")
      return [
        `The new type of ${table}.${name} can rewrite the table, and the previous release expects the old one. Add a new column with a backfill.`,
      ];
    if (!def) return [];
    if (subtype === "AT_AddColumn" && "ColumnDef" in def)
      return addedColumnFaults(table, def.ColumnDef);
    if (subtype === "AT_AddConstraint" && "Constraint" in def)
      return [addedConstraintFault(table, def.Constraint)];
    return [];
  });

const addedName = ({ command: { subtype, def } }: Alteration) =>
  subtype === "AT_AddConstraint" && def && "Constraint" in def ? def.Constraint.conname : undefined;

/** NOT VALID helps only if the lock of the new constraint is gone when its rows are checked. */
export const validationFaults = ({ alterations, directives }: ParsedMigration) => {
  const validated = alterations.filter((one) => one.command.subtype === "AT_ValidateConstraint");
  const added = new Set(alterations.map(addedName));
  return [
    ...validated
      .filter(({ command }) => added.has(command.name))
      .map(
        ({ command }) =>
          `The constraint ${command.name} is validated in the migration that adds it. Validate it in a later one.`,
      ),
    directives.isTransactional && validated.length > 0 && validated.length < alterations.length
      ? "Validating a constraint takes long, and all locks last until the end. Do it in a migration of its own."
      : "",
  ];
};

const requiresValue = ({ command: { subtype, def } }: Alteration, column: string) => {
  if (subtype !== "AT_AddConstraint" || !def || !("Constraint" in def)) return false;
  const { raw_expr } = def.Constraint;
  if (!raw_expr || !("NullTest" in raw_expr)) return false;
  const { arg, nulltesttype } = raw_expr.NullTest;
  if (nulltesttype !== "IS_NOT_NULL" || !arg || !("ColumnRef" in arg)) return false;
  return namesIn(arg.ColumnRef.fields).at(-1) === column;
};

/** Without a valid constraint that says the same, SET NOT NULL checks all rows while the table is locked. */
export const notNullFaults = (
  { alterations }: ParsedMigration,
  earlier: readonly ParsedMigration[],
) => {
  const before = earlier.flatMap((one) => one.alterations);
  const isProven = (table: string, column: string) =>
    before
      .filter((one) => one.table === table && requiresValue(one, column))
      .some((one) =>
        before.some(
          ({ table: other, command }) =>
            other === table &&
            command.subtype === "AT_ValidateConstraint" &&
            command.name === addedName(one),
        ),
      );
  return alterations
    .filter(({ command }) => command.subtype === "AT_SetNotNull")
    .filter(({ table, command }) => !isProven(table, command.name ?? ""))
    .map(
      ({ table, command: { name } }) =>
        `SET NOT NULL checks all rows of ${table} while it is locked. First add CHECK (${name} IS NOT NULL) NOT VALID and validate it, each in an earlier migration.`,
    );
};
