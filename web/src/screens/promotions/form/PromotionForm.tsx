import { t } from "@lingui/core/macro";
import "#ui/styles/switchSheets.ts";
import "../promotions.css";
import { ActionIcon, Switch, TextInput } from "@mantine/core";
import { number } from "#lib/intl.ts";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { ReadOnlyField } from "#ui/form/inputs/ReadOnlyField.tsx";
import { Icon } from "#ui/Icon.tsx";
import type { Promotion } from "../queries.ts";
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
        why={t`This code is in use and can't be changed.`}
      />
    );
  const generated = promotion ? promotion.codes - (promotion.code === null ? 0 : 1) : 0;
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
          generated > 0
            ? t`Not case-sensitive. Generated codes also apply.`
            : t`Not case-sensitive. Generate codes in bulk from the promotions list.`
        }
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="characters"
        {...form.getInputProps("code")}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        onBlur={() => set(code.toUpperCase())}
        rightSection={
          <ActionIcon
            aria-label={t`Generate code`}
            data-tip={t`Generate code`}
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
    <FormSection title={t`Name`} help={t`Only your team sees the name. Customers see the code.`}>
      <div className="form-pair">
        <TextField name="name" />
        {record.form.values.requiresCode && <Code {...props} />}
      </div>
      {promotion?.isLocked ? (
        <FrozenField {...props} name="requiresCode" />
      ) : (
        <SwitchField {...props} name="requiresCode" />
      )}
    </FormSection>
  );
};

/** How often it was used, and whether its limit can still be lowered. */
const redeemedText = ({ redemptions, isLocked }: Promotion) => {
  const redeemed = number(redemptions);
  return isLocked ? t`${redeemed} redeemed. Can only be increased.` : t`${redeemed} redeemed.`;
};

const Limits = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  const { kind, stacking } = form.values;
  const isDiscount = kind === "percent" || kind === "fixed";
  return (
    <FormSection title={t`Limits`} help={t`Leave empty for no limit.`}>
      <div className="form-pair">
        <NumberField
          {...props}
          name="redemptionLimit"
          isOptional
          show={number}
          help={promotion ? redeemedText(promotion) : undefined}
        />
        <NumberField
          {...props}
          name="redemptionLimitPerCustomer"
          isOptional
          show={number}
          help={promotion?.isLocked ? t`Can only be increased.` : undefined}
        />
      </div>
      <AmountRows
        {...props}
        parts={isDiscount ? ["minimum", "cap", "budget"] : ["minimum"]}
        legend={t`By currency`}
        help={t`Currencies without a limit aren't discounted.`}
      />
      <Field record={record} words={words} name="stacking">
        <Switch
          label={t`Can be combined with other promotions`}
          description={t`If off, customers get the promotion that saves the most.`}
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
      <SwitchField {...props} name="restoresRedemption" />
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
