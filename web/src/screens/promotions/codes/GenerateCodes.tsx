import "#ui/form/form.css";
import { Button } from "@mantine/core";
import { addCodes, exportCodes } from "@purser/contract/promotions/codes";
import { type SubmitEvent, useState } from "react";
import { addressOf, CallError, call } from "#lib/api/call.ts";
import { fieldErrorsOf } from "#lib/api/fieldErrors.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { count } from "#lib/labels.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { ParsedNumberInput, readWhole } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { useOnce } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { Callout, Refused } from "#ui/page/Callout.tsx";
import { type Promotion, promotionSaved } from "../queries.ts";

export const codesFile = ({ id }: Pick<Promotion, "id">) =>
  addressOf(exportCodes.path, { params: { id }, query: { format: "csv" } });

type Typed = number | string;

const wholes = { amount: "How many", maxUses: "Uses of each" } as const;

/** Sends the form and shows errors at their fields. */
const useMaking = (promotion: Promotion) => {
  const [values, setValues] = useState<Record<keyof typeof wholes, Typed>>({
    amount: 100,
    maxUses: 1,
  });
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const [made, setMade] = useState(0);
  const { busy, once } = useOnce();
  const send = async (amount: number, maxUses: number) => {
    try {
      promotionSaved(
        await call(addCodes, { params: { id: promotion.id }, body: { amount, maxUses } }),
      );
      setMade(amount);
      return true;
    } catch (error) {
      if (!(error instanceof UserFacingError)) throw error;
      const fields = error instanceof CallError ? fieldErrorsOf(error) : {};
      setErrors(fields);
      setRefusal(Object.keys(fields).length === 0 ? error : null);
      return false;
    }
  };
  const submit = () => {
    const { amount, maxUses } = values;
    const wrong = Object.entries(values).filter(([, value]) => typeof value === "string");
    setErrors(Object.fromEntries(wrong.map(([field]) => [field, "must be a whole number"])));
    if (typeof amount === "number" && typeof maxUses === "number")
      void once(() => send(amount, maxUses));
  };
  return { values, setValues, errors, refusal, made, busy, submit };
};

type Props = { promotion: Promotion; onClose: () => void };

/** Generates random codes in bulk. */
export const GenerateCodes = ({ promotion, onClose }: Props) => {
  const { values, setValues, errors, refusal, made, busy, submit } = useMaking(promotion);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    submit();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Make codes for ${promotion.name}`}
      fact="Nobody can guess them, and each is for so many uses."
      sign={{ icon: "key", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {made > 0 ? "Close" : "Cancel"}
          </Button>
          {made > 0 ? (
            <Button
              component="a"
              href={codesFile(promotion)}
              download
              leftSection={<Icon name="download" />}
            >
              Download codes
            </Button>
          ) : (
            <Button type="submit" form="make-codes" aria-busy={busy}>
              {typeof values.amount === "number"
                ? `Make ${count(values.amount, "code")}`
                : "Make codes"}
            </Button>
          )}
        </>
      }
    >
      <Refused refusal={refusal} />
      {made > 0 ? (
        <Callout tone="ok" icon="circle-check" role="status">
          {count(made, "code is", "codes are")} made. The file has all codes of this promotion, with
          their uses.
        </Callout>
      ) : (
        <form id="make-codes" className="form-pair" onSubmit={onSubmit} noValidate>
          {(["amount", "maxUses"] as const).map((field) => (
            <ParsedNumberInput
              key={field}
              label={wholes[field]}
              description={field === "amount" ? "Up to 10,000 at a time." : "Usually once."}
              className="number-input"
              inputMode="numeric"
              value={values[field]}
              error={errors[field]}
              read={readWhole}
              show={String}
              onChange={(value) => setValues({ ...values, [field]: value })}
            />
          ))}
        </form>
      )}
    </Dialog>
  );
};
