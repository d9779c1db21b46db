import { t } from "@lingui/core/macro";
import { grantingRoles } from "@purser/contract/workspace/settings";
import { roleNames } from "#lib/labels/roles.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { anyPackage } from "#screens/packages/queries.ts";
import { Field } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { RelationMultiSelect } from "#ui/form/inputs/RelationMultiSelect.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { formLabels } from "./labels.ts";
import type { SettingsValues } from "./values.ts";

/** The days and packages that each role grants without approval. */
export const GrantLimits = ({ record }: { record: RecordForm<SettingsValues> }) => {
  const { form } = record;
  const limits = form.values.grantLimits;
  return (
    <Field record={record} words={formLabels} name="grantLimits">
      <fieldset className="field-group">
        <legend className="field-label">{formLabels.grantLimits.label}</legend>
        <p className="field-note">
          {t`Days and packages that a role grants without approval. No days means no time limit.`}
        </p>
        <ol className="setting-rows">
          {grantingRoles.map((role) => {
            const limit = limits[role] ?? { days: 0, packages: [] };
            const name = roleNames[role];
            const set = (changes: Partial<typeof limit>) => {
              form.setFieldValue("grantLimits", { ...limits, [role]: { ...limit, ...changes } });
              form.clearErrors();
            };
            return (
              <li key={role} className="grant-row">
                <span>{name}</span>
                <ParsedNumberInput
                  aria-label={t`Days, ${name}`}
                  className="number-input"
                  inputMode="numeric"
                  placeholder={t`No limit`}
                  data-path={`grantLimits.${role}.days`}
                  error={form.errors[`grantLimits.${role}.days`]}
                  value={limit.days ?? ""}
                  read={parseWhole}
                  show={String}
                  onChange={(value) => set({ days: value === "" ? null : value })}
                />
                <RelationMultiSelect
                  relation={anyPackage}
                  aria-label={t`Packages, ${name}`}
                  path={`grantLimits.${role}.packages`}
                  placeholder={t`All packages`}
                  value={limit.packages}
                  onChange={(packages) => set({ packages })}
                  error={form.errors[`grantLimits.${role}.packages`]}
                />
              </li>
            );
          })}
        </ol>
      </fieldset>
    </Field>
  );
};
