import { plural, t } from "@lingui/core/macro";
import { changePromotion } from "@purser/contract/promotions/endpoints";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { number } from "#lib/intl.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { DateField } from "#ui/dates/DateInput.tsx";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { toast, undoAction } from "#ui/popups/toast.ts";
import { onlyOf } from "#ui/record/lifecycle.tsx";
import { withSkipped } from "#ui/record/skipped.ts";
import { sendToMany } from "./actions.ts";
import { bodyOf, valuesOf } from "./form/values.ts";
import { customersQuery, type Promotion } from "./queries.ts";
import { endOf, firstDayOf, lastDayLabels, lastDayOf, zone } from "./schedule.ts";

const endAt = async (promotion: Promotion, endsAt: string | null) => {
  const { id, audience } = promotion;
  const customers = audience === "listed" ? await queryClient.fetchQuery(customersQuery(id)) : [];
  const { values, version } = valuesOf(promotion, customers);
  return call(changePromotion, { params: { id }, version, body: bodyOf({ ...values, endsAt }) });
};

const extend = async (promotions: Promotion[], endsAt: string) => {
  const before = new Map(promotions.map((one) => [one.id, one.endsAt]));
  const { saved, skipped } = await sendToMany(promotions, (one) => endAt(one, endsAt));
  const last = lastDayLabels(endsAt);
  const takeBack = async () => {
    const undone = await sendToMany(saved, (one) => endAt(one, before.get(one.id) ?? null));
    toast(
      await withSkipped(
        plural(undone.saved.length, {
          one: "End date of # promotion restored",
          other: "End dates of # promotions restored",
        }),
        undone.skipped,
      ),
    );
  };
  toast(
    await withSkipped(
      plural(saved.length, {
        one: `# promotion extended until ${last}`,
        other: `# promotions extended until ${last}`,
      }),
      skipped,
    ),
    saved.length > 0 ? undoAction(takeBack) : undefined,
  );
};

const latest = (promotions: Promotion[]) =>
  promotions
    .map(({ endsAt }) => endsAt)
    .toSorted()
    .at(-1) ?? null;

type Props = { promotions: Promotion[]; onClose: () => void; onDone: () => void };

/** Sets a later end date for several promotions; none ends sooner than before. */
export const ExtendDialog = ({ promotions, ...ways }: Props) => {
  const single = onlyOf(promotions);
  const name = single?.name ?? "";
  const today = firstDayOf(currentTime().toISOString());
  const [day, setDay] = useState(lastDayOf(latest(promotions)));
  const [wrong, setWrong] = useState<string | null>(null);
  const end = endOf(day);
  const longer = promotions.filter(({ endsAt }) => end !== null && endsAt !== null && endsAt < end);
  const again = longer.filter(({ status }) => status === "ended");
  const refusal = () => {
    if (end === null) return t`Enter a date.`;
    if (day < today) return t`Choose today or a later date.`;
    return longer.length === 0 ? t`Choose a date after the current end date.` : null;
  };
  return (
    <Confirm
      {...ways}
      title={
        single
          ? t`Extend ${name}?`
          : plural(promotions.length, { one: "Extend # promotion?", other: "Extend # promotions?" })
      }
      fact={t`Nothing else changes.`}
      sign={{ icon: "calendar-clock", tone: "info" }}
      button={plural(longer.length, {
        0: "Extend",
        one: "Extend # promotion",
        other: "Extend # promotions",
      })}
      action={async () => {
        const message = refusal();
        setWrong(message);
        if (message !== null || end === null)
          throw new UserFacingError(t`Choose a later end date.`);
        await extend(longer, end);
      }}
    >
      <DateField
        zone={zone}
        form="confirm"
        label={t`End date`}
        description={t`In the time zone ${zone}.`}
        min={today}
        value={day}
        onChange={(value) => {
          setWrong(null);
          setDay(value);
        }}
        error={wrong}
      />
      <Consequences
        of={[
          {
            icon: "calendar-clock",
            what: t`Promotions extended`,
            amount: number(longer.length),
          },
          {
            icon: "player-play",
            what: t`Ended promotions that run again`,
            amount: number(again.length),
          },
          {
            icon: "minus",
            what: t`Promotions unchanged, because they end later`,
            amount: number(promotions.length - longer.length),
          },
        ]}
      />
    </Confirm>
  );
};
