import "#ui/styles/switchSheets.ts";
import "../promotions.css";
import { ActionIcon, Switch, TextInput } from "@mantine/core";
import { number } from "#lib/labels.ts";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { ReadOnlyField } from "#ui/form/inputs/ReadOnlyField.tsx";
import { Icon } from "#ui/Icon.tsx";
import { AmountRows } from "./AmountRows.tsx";
import { Discount } from "./Discount.tsx";
import { FrozenField, NumberField, type PartProps, SwitchField } from "./fields.tsx";
import { Schedule } from "./Schedule.tsx";
import { Targets } from "./Targets.tsx";
import { type PromotionValues, randomCode } from "./values.ts";

const { TextField } = inputsOf<PromotionValues>();

const Code = ({ record, words, promotion }: PartProps) => {
  const { form } = record;
  const { code } = form.values;
  if (promotion?.isLocked && promotion.code !== null)
    return (
      <ReadOnlyField
        label={words.code.label}
        value={promotion.code}
        why="Buyers know it, so it stays."
      />
    );
  const apart = promotion ? promotion.codes - (promotion.code === null ? 0 : 1) : 0;
  const set = (next: string) => {
    form.setFieldValue("code", next);
    form.clearFieldError("code");
  };
  return (
    <Field record={record} words={words} name="code">
      <TextInput
        label={words.code.label}
        className="mono-input"
        description={
          apart > 0
            ? `Beside ${number(apart)} made apart. Case does not matter.`
            : "Case does not matter. Many codes are made from the list."
        }
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="characters"
        {...form.getInputProps("code")}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        onBlur={() => set(code.toUpperCase())}
        rightSection={
          <ActionIcon
            aria-label="Make one up"
            data-tip="Make one up"
            onClick={() => set(randomCode())}
          >
            <Icon name="refresh" />
          </ActionIcon>
        }
      />
    </Field>
  );
};

const Name = (props: PartProps) => {
  const { record, promotion } = props;
  return (
    <FormSection title="Name" help="Buyers see the code, never the name.">
      <div className="form-pair">
        <TextField name="name" />
        {record.form.values.needsCode && <Code {...props} />}
      </div>
      {promotion?.isLocked ? (
        <FrozenField {...props} name="needsCode" />
      ) : (
        <SwitchField {...props} name="needsCode" />
      )}
    </FormSection>
  );
};

const Limits = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  const { kind, stacking } = form.values;
  const isDiscount = kind === "percent" || kind === "fixed";
  const grows = promotion?.isLocked ? " May only grow." : "";
  return (
    <FormSection title="Limits" help="What is left empty has no limit.">
      <div className="form-pair">
        <NumberField
          {...props}
          name="maxUses"
          isOptional
          show={number}
          help={promotion ? `${number(promotion.uses)} used.${grows}` : undefined}
        />
        <NumberField
          {...props}
          name="maxUsesPerUser"
          isOptional
          show={number}
          help={grows.trim() || undefined}
        />
      </div>
      <AmountRows
        {...props}
        parts={isDiscount ? ["minimum", "cap", "budget"] : ["minimum"]}
        legend="By currency"
        help="What is limited in one currency does not count in those without a limit."
      />
      <Field record={record} words={words} name="stacking">
        <Switch
          label="May be combined with other promotions"
          description="Off: the user gets the one that saves the most."
          data-path="stacking"
          checked={stacking === "stackable"}
          onChange={({ currentTarget: { checked } }) =>
            form.setFieldValue("stacking", checked ? "stackable" : "exclusive")
          }
        />
      </Field>
      <div className="form-pair">
        <NumberField {...props} name="priority" />
      </div>
      <SwitchField {...props} name="returnsUse" />
    </FormSection>
  );
};

/** The fields of a promotion, for creating and editing. */
export const PromotionForm = (props: PartProps) => (
  <>
    <Name {...props} />
    <Discount {...props} />
    <Targets {...props} />
    <Schedule {...props} />
    <Limits {...props} />
  </>
);
