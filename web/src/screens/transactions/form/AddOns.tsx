import "#ui/styles/choiceSheets.ts";
import "#ui/form/inputs/MultiSelect.css";
import { t } from "@lingui/core/macro";
import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/intl.ts";
import { isPerUnit } from "#lib/money/prices.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { addOnsQuery, packageQuery, versionsQuery } from "#screens/packages/queries.ts";
import { Optional } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import type { SaleValues } from "./values.ts";

type AddOn = SaleValues["addOns"][number];

type Offered = Pick<SaleValues, "currency" | "interval" | "intervalCount">;

/** Whether the add-on is sold per unit for the same currency and interval. */
const useIsPerUnit = (packageId: string, { currency, interval, intervalCount }: Offered) => {
  const { data: versions } = useQuery(versionsQuery(packageId));
  const price = versions
    ?.find(({ state }) => state === "on sale")
    ?.prices.find(
      (one) =>
        one.currency === currency &&
        one.interval === interval &&
        one.intervalCount === intervalCount,
    );
  return price !== undefined && isPerUnit(price);
};

type QuantityProps = {
  addOn: AddOn;
  name: string;
  offered: Offered;
  error: boolean;
  onChange: (quantity: AddOn["quantity"]) => void;
};

const AddOnQuantity = ({ addOn, name, offered, error, onChange }: QuantityProps) => {
  const { packageId, quantity } = addOn;
  if (!useIsPerUnit(packageId, offered)) return null;
  return (
    <ParsedNumberInput
      label={t`Quantity of ${name}`}
      className="number-input"
      inputMode="numeric"
      error={error && !(typeof quantity === "number" && quantity >= 1) && t`Enter 1 or more.`}
      value={quantity}
      read={parseWhole}
      show={number}
      onChange={onChange}
    />
  );
};

/** Add-ons that are sold together with a base package, in its currency and interval. */
export const AddOns = ({ record: { form } }: { record: RecordForm<SaleValues> }) => {
  const { packageId, addOns } = form.values;
  const { data: base } = useQuery({ ...packageQuery(packageId), enabled: packageId !== "" });
  const { data: all = [] } = useQuery(addOnsQuery);
  if (base?.kind !== "base") return null;
  const fitting = all.filter(
    ({ baseGroups }) =>
      baseGroups.length === 0 || (base.group !== null && baseGroups.includes(base.group)),
  );
  if (fitting.length === 0) return null;
  const set = (next: AddOn[]) => {
    form.setFieldValue("addOns", next);
    form.clearFieldError("addOns");
  };
  return (
    <>
      <MultiSelect
        label={<Optional>{t`Add-ons`}</Optional>}
        data-path="addOns"
        data={fitting.map(({ id, name }) => ({ value: id, label: name }))}
        value={addOns.map((one) => one.packageId)}
        onChange={(ids) =>
          set(
            ids.map(
              (id) => addOns.find((one) => one.packageId === id) ?? { packageId: id, quantity: 1 },
            ),
          )
        }
        maxValues={20}
        error={form.errors["addOns"]}
        searchable
        hidePickedOptions
        nothingFoundMessage={t`No matching add-on.`}
      />
      {addOns.map((addOn) => (
        <AddOnQuantity
          key={addOn.packageId}
          addOn={addOn}
          name={fitting.find(({ id }) => id === addOn.packageId)?.name ?? ""}
          offered={form.values}
          error={Boolean(form.errors["addOns"])}
          onChange={(quantity) =>
            set(
              addOns.map((one) => (one.packageId === addOn.packageId ? { ...one, quantity } : one)),
            )
          }
        />
      ))}
    </>
  );
};
