import { plural, t } from "@lingui/core/macro";
import { type FormLabels, shownValue } from "#ui/form/Field.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Section } from "#ui/page/Page.tsx";
import type { Promotion } from "../queries.ts";
import type { PromotionValues } from "./values.ts";

type Props = {
  record: RecordForm<PromotionValues>;
  words: FormLabels<PromotionValues>;
  promotion: Promotion;
};

/** "Percent off changes from 15% to 20%." */
const changeText = (
  { record: { stored, form }, words }: Omit<Props, "promotion">,
  field: keyof PromotionValues,
) => {
  const { label } = words[field];
  const before = shownValue(words, field, stored.values);
  const after = shownValue(words, field, form.values);
  return t`${label} changes from ${before} to ${after}.`;
};

/** The effect of saving, and what it doesn't change. */
export const Effect = ({ record, words, promotion }: Props) => {
  const { status, redemptions, isLocked } = promotion;
  return (
    <Section title={t`When you save`}>
      {record.changed.map((field) => (
        <p key={field} className="soft">
          {changeText({ record, words }, field)}
        </p>
      ))}
      {record.changed.length === 0 && <p className="soft">{t`No changes yet.`}</p>}
      {redemptions > 0 && (
        <p className="soft">
          {plural(redemptions, {
            one: "# past redemption doesn't change.",
            other: "# past redemptions don't change.",
          })}
        </p>
      )}
      {status === "draft" && (
        <p className="soft">{t`No one can use a draft until you publish it.`}</p>
      )}
      {isLocked && (
        <p className="soft">
          {t`Already redeemed. The discount, packages, eligible customers and start date can't be changed. Limits can only be increased.`}
        </p>
      )}
    </Section>
  );
};
