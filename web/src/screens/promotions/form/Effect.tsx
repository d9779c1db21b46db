import { count } from "#lib/labels.ts";
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

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** "Percent off goes from 15 % to 20 % and last day from 23 Nov 2026 to 30 Nov 2026." */
const changesLabels = ({ record, words }: Omit<Props, "promotion">) => {
  const { changed, stored, form } = record;
  const told = changed.map((field, place) => {
    const before = shownValue(words, field, stored.values);
    const after = shownValue(words, field, form.values);
    const { label } = words[field];
    return place === 0
      ? `${label} goes from ${before} to ${after}`
      : `${label.toLowerCase()} from ${before} to ${after}`;
  });
  return `${list.format(told)}.`;
};

/** The effect of saving, and what it doesn't change. */
export const Effect = ({ record, words, promotion }: Props) => {
  const { status, uses, isLocked } = promotion;
  return (
    <Section title="If you save this">
      <p className="soft">
        {record.changed.length > 0 ? changesLabels({ record, words }) : "Nothing is changed yet."}
        {uses > 0 && ` ${count(uses, "past use stays as it is", "past uses stay as they are")}.`}
      </p>
      {status === "draft" && (
        <p className="soft">It is a draft: nobody can use it before you publish it.</p>
      )}
      {isLocked && (
        <p className="soft">
          Somebody has used it, so its value, targets, audience and start stay, and limits only
          grow.
        </p>
      )}
    </Section>
  );
};
