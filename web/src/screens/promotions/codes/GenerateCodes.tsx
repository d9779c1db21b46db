import { plural, t } from "@lingui/core/macro";
import "#ui/form/form.css";
import { Button } from "@mantine/core";
import { addCodes, codesMax, exportCodes } from "@purser/contract/promotions/codes";
import { type SubmitEvent, useState } from "react";
import { addressOf, CallError, call } from "#lib/api/call.ts";
import { fieldErrorsOf } from "#lib/api/fieldErrors.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { number } from "#lib/intl.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { useOnce } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { Callout, Refused } from "#ui/page/Callout.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { type Promotion, promotionSaved } from "../queries.ts";

export const codesFile = ({ id }: Pick<Promotion, "id">) =>
  addressOf(exportCodes.path, { params: { id }, query: { format: "csv" } });

type Typed = number | string;

const maxAmount = number(codesMax);
const fields = {
  amount: { label: t`Number of codes`, help: t`Up to ${maxAmount} at a time.` },
  redemptionLimit: { label: t`Redemption limit per code`, help: t`Usually 1.` },
};

/** Sends the form and shows errors at their fields. */
const useGenerator = (promotion: Promotion) => {
  const [values, setValues] = useState<Record<keyof typeof fields, Typed>>({
    amount: 100,
    redemptionLimit: 1,
  });
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const [made, setMade] = useState(0);
  const { busy, once } = useOnce();
  const send = async (amount: number, redemptionLimit: number) => {
    try {
      promotionSaved(
        await call(addCodes, { params: { id: promotion.id }, body: { amount, redemptionLimit } }),
      );
      setMade(amount);
      return true;
    } catch (error) {
      if (!(error instanceof UserFacingError)) throw error;
      const found = error instanceof CallError ? fieldErrorsOf(error) : {};
      setErrors(found);
      setRefusal(Object.keys(found).length === 0 ? error : null);
      return false;
    }
  };
  const submit = () => {
    const { amount, redemptionLimit } = values;
    const wrong = Object.entries(values).filter(([, value]) => typeof value === "string");
    setErrors(Object.fromEntries(wrong.map(([field]) => [field, t`Enter a whole number.`])));
    if (typeof amount === "number" && typeof redemptionLimit === "number")
      void once(() => send(amount, redemptionLimit));
  };
  return { values, setValues, errors, refusal, made, busy, submit };
};

type Props = { promotion: Promotion; onClose: () => void };

/** Generates random codes in bulk. */
export const GenerateCodes = ({ promotion, onClose }: Props) => {
  const { values, setValues, errors, refusal, made, busy, submit } = useGenerator(promotion);
  const { name } = promotion;
  const { amount } = values;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    submit();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Generate codes for ${name}`}
      fact={t`Codes are random and can't be guessed.`}
      sign={{ icon: "key", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {made > 0 ? t`Close` : t`Cancel`}
          </Button>
          {made > 0 ? (
            <Button
              component="a"
              {...downloadLink(codesFile(promotion))}
              leftSection={<Icon name="download" />}
            >
              {t`Download codes`}
            </Button>
          ) : (
            <Button type="submit" form="generate-codes" aria-busy={busy}>
              {typeof amount === "number"
                ? plural(amount, { one: "Generate # code", other: "Generate # codes" })
                : t`Generate codes`}
            </Button>
          )}
        </>
      }
    >
      <Refused refusal={refusal} />
      {made > 0 ? (
        <Callout tone="ok" icon="circle-check" role="status">
          {plural(made, { one: "# code generated.", other: "# codes generated." })}{" "}
          {t`The file lists all codes of this promotion with their redemptions.`}
        </Callout>
      ) : (
        <form id="generate-codes" className="form-pair" onSubmit={onSubmit} noValidate>
          {(["amount", "redemptionLimit"] as const).map((field) => (
            <ParsedNumberInput
              key={field}
              label={fields[field].label}
              description={fields[field].help}
              className="number-input"
              inputMode="numeric"
              value={values[field]}
              error={errors[field]}
              read={parseWhole}
              show={String}
              onChange={(value) => setValues({ ...values, [field]: value })}
            />
          ))}
        </form>
      )}
    </Dialog>
  );
};
