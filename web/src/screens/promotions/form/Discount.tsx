import { t } from "@lingui/core/macro";
import "@mantine/core/styles/FloatingIndicator.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import { NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { readValue, unlimited, type Value } from "@purser/contract/fields/values";
import { durations, levels, promotionKinds } from "@purser/contract/promotions/fields";
import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/intl.ts";
import { featureValue, unlimitedLabel } from "#lib/labels/featureValues.ts";
import { parseBasisPoints } from "#lib/parseNumber.ts";
import {
  type Feature,
  featureQuery,
  readFeature,
  readFeatures,
} from "#screens/features/queries.ts";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import type { Relation } from "#ui/record/relation.ts";
import { durationLabels, kindLabels, levelLabels, severalPayments } from "../labels.ts";
import { AmountRows } from "./AmountRows.tsx";
import { FrozenField, NumberField, type PartProps } from "./fields.tsx";
import { amountLabels } from "./formLabels.ts";

const relatedOf = ({ id, name, code, app }: Feature) => ({
  id,
  name,
  code: `${app.code}.${code}`,
  icon: app.icon,
});

/** Only active features can be given. */
const givenFeature: Relation = {
  name: "features",
  scope: "given",
  find: async (typed, signal) => {
    const query = typed ? { q: typed, sort: "name" } : { sort: "-updatedAt" };
    const { items } = await readFeatures(
      { ...query, f: ["status:any:active"], size: "10", count: "none" },
      signal,
    );
    return items.map(relatedOf);
  },
  read: async (id) => relatedOf(await readFeature(id)),
};

const Duration = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  if (promotion?.isLocked) return <FrozenField {...props} name="duration" />;
  const labels = {
    once: durationLabels({ duration: "once", periods: null }),
    periods: severalPayments,
    forever: durationLabels({ duration: "forever", periods: null }),
  };
  return (
    <Field record={record} words={words} name="duration" along={["periods"]}>
      <NativeSelect
        label={words.duration.label}
        data-path="duration"
        value={form.values.duration}
        data={durations.map((value) => ({ value, label: labels[value] }))}
        onChange={({ currentTarget: { value } }) => {
          const duration = durations.find((one) => one === value) ?? "once";
          form.setValues({
            duration,
            ...(duration === "periods" && form.values.periods === null && { periods: 3 }),
          });
        }}
      />
    </Field>
  );
};

const Lasting = (props: PartProps) => {
  const { duration } = props.record.form.values;
  if (props.promotion?.isLocked || duration !== "periods") return null;
  return <NumberField {...props} name="periods" unit={t`payments`} />;
};

/** Only matters for orders with several packages. */
const Level = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  if (promotion?.isLocked) return <FrozenField {...props} name="level" />;
  return (
    <Field record={record} words={words} name="level">
      <NativeSelect
        label={words.level.label}
        description={t`Only matters for orders with several packages.`}
        data-path="level"
        value={form.values.level}
        data={levels.map((value) => ({ value, label: levelLabels[value] }))}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue("level", levels.find((one) => one === value) ?? "line")
        }
      />
    </Field>
  );
};

const ChosenValue = (props: PartProps & { feature: Feature }) => {
  const { record, words, feature } = props;
  const { form } = record;
  const { value } = form.values;
  const set = (next: Value | null) => {
    form.setFieldValue("value", next);
    form.clearFieldError("value");
  };
  const options: Value[] =
    feature.kind === "switch" ? [true, false] : feature.options.map(({ code }) => code);
  return (
    <Field record={record} words={words} name="value">
      {feature.kind === "switch" || feature.kind === "choice" ? (
        <NativeSelect
          label={words.value.label}
          data-path="value"
          error={form.errors["value"]}
          value={value === null ? "" : String(value)}
          data={[
            { value: "", label: t`Choose a value` },
            ...options.map((one) => ({ value: String(one), label: featureValue(feature, one) })),
          ]}
          onChange={({ currentTarget }) =>
            set(options.find((one) => String(one) === currentTarget.value) ?? null)
          }
        />
      ) : (
        <>
          <TextInput
            label={words.value.label}
            className="number-input"
            inputMode="numeric"
            autoComplete="off"
            data-path="value"
            error={form.errors["value"]}
            disabled={value === unlimited}
            value={value === unlimited ? unlimitedLabel : String(value ?? "")}
            onChange={({ currentTarget: { value: typed } }) =>
              set(typed === "" ? null : (readValue(feature, typed) ?? typed))
            }
          />
          <label className="no-limit">
            <input
              type="checkbox"
              className="box"
              checked={value === unlimited}
              onChange={() => set(value === unlimited ? null : unlimited)}
            />
            {unlimitedLabel}
          </label>
        </>
      )}
    </Field>
  );
};

const GivenFeature = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  const { featureId } = form.values;
  const { data: feature } = useQuery({ ...featureQuery(featureId), enabled: featureId !== "" });
  if (promotion?.isLocked)
    return (
      <div className="form-pair">
        <FrozenField {...props} name="featureId" />
        <FrozenField {...props} name="value" />
        <FrozenField {...props} name="featureDays" />
      </div>
    );
  return (
    <>
      <Field record={record} words={words} name="featureId" along={["value"]}>
        <Picker
          relation={givenFeature}
          label={words.featureId.label}
          path="featureId"
          value={featureId}
          onChange={(id) => {
            form.setValues({ featureId: id, value: null });
            form.clearFieldError("featureId");
          }}
          error={form.errors["featureId"]}
          onCreate={null}
        />
      </Field>
      <div className="form-pair">
        {feature && <ChosenValue {...props} feature={feature} />}
        <NumberField
          {...props}
          name="featureDays"
          unit={t`days`}
          isOptional
          help={t`Leave empty for as long as the customer has the package.`}
        />
      </div>
    </>
  );
};

const Amount = (props: PartProps) => {
  const { kind } = props.record.form.values;
  const isLocked = props.promotion?.isLocked ?? false;
  switch (kind) {
    case "percent":
      return (
        <div className="form-pair">
          {isLocked ? (
            <FrozenField {...props} name="basisPoints" />
          ) : (
            <NumberField
              {...props}
              name="basisPoints"
              unit="%"
              read={parseBasisPoints}
              show={(value) => number(value / 100)}
            />
          )}
          <Duration {...props} />
          <Lasting {...props} />
          <Level {...props} />
        </div>
      );
    case "fixed":
      return (
        <>
          <AmountRows {...props} parts={["off"]} legend={amountLabels.off} />
          <div className="form-pair">
            <Duration {...props} />
            <Lasting {...props} />
            <Level {...props} />
          </div>
        </>
      );
    case "trial":
      return (
        <div className="form-pair">
          {isLocked ? (
            <FrozenField {...props} name="trialDays" />
          ) : (
            <NumberField
              {...props}
              name="trialDays"
              unit={t`days`}
              help={t`Free days after the package's own trial, before the first payment.`}
            />
          )}
        </div>
      );
    case "feature":
      return <GivenFeature {...props} />;
  }
};

/** The discount and its duration. */
export const Discount = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  return (
    <FormSection title={t`Discount`} help={t`Deducted from the package's list price, before tax.`}>
      {promotion?.isLocked ? (
        <FrozenField {...props} name="kind" />
      ) : (
        <Field record={record} words={words} name="kind">
          <SegmentedControl
            className="kinds"
            aria-label={words.kind.label}
            data-path="kind"
            value={form.values.kind}
            onChange={(value) => {
              form.setFieldValue("kind", promotionKinds.find((one) => one === value) ?? "percent");
              form.clearErrors();
            }}
            data={promotionKinds.map((value) => ({ value, label: kindLabels[value] }))}
          />
        </Field>
      )}
      <Amount {...props} />
    </FormSection>
  );
};
