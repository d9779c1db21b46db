import { TextInput } from "@mantine/core";
import { changePromotion } from "@purser/contract/promotions/endpoints";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { count, number } from "#lib/labels.ts";
import { formatDate } from "#lib/time/dates.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { toast } from "#ui/popups/toast.ts";
import { meantBy } from "#ui/record/lifecycle.tsx";
import { sendToMany } from "./actions.ts";
import { bodyOf, valuesOf } from "./form/values.ts";
import { customersQuery, type Promotion } from "./queries.ts";
import { endOf, firstDayOf, lastDayLabels, lastDayOf, zone } from "./schedule.ts";

const endAt = async (promotion: Promotion, endsAt: string | null) => {
  const { id, audience } = promotion;
  const people = audience === "listed" ? await queryClient.fetchQuery(customersQuery(id)) : [];
  const { values, version } = valuesOf(promotion, people);
  return call(changePromotion, { params: { id }, version, body: bodyOf({ ...values, endsAt }) });
};

const extend = async (promotions: Promotion[], endsAt: string) => {
  const before = new Map(promotions.map((one) => [one.id, one.endsAt]));
  const { saved, stayed } = await sendToMany(promotions, (one) => endAt(one, endsAt));
  const takeBack = async () => {
    const undone = await sendToMany(saved, (one) => endAt(one, before.get(one.id) ?? null));
    toast(`${count(undone.saved.length, "promotion")} as before.${undone.stayed}`);
  };
  toast(
    `${count(saved.length, "promotion")} extended until ${lastDayLabels(endsAt)}.${stayed}`,
    saved.length > 0 ? { label: "Undo", run: takeBack } : undefined,
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
  const { what } = meantBy(promotions, "promotion");
  const today = firstDayOf(new Date().toISOString());
  const [day, setDay] = useState(lastDayOf(latest(promotions)));
  const [wrong, setWrong] = useState<string | null>(null);
  const end = endOf(day);
  const longer = promotions.filter(({ endsAt }) => end !== null && endsAt !== null && endsAt < end);
  const again = longer.filter(({ status }) => status === "ended");
  const refusal = () => {
    if (end === null) return "must be a day";
    if (day < today) return `must not be before today, ${formatDate(zone, new Date())}`;
    return longer.length === 0 ? "must be later than their last days" : null;
  };
  return (
    <Confirm
      {...ways}
      title={`Extend ${what}?`}
      fact="Everything else about them stays."
      sign={{ icon: "calendar-clock", tone: "info" }}
      button={longer.length > 0 ? `Extend ${count(longer.length, "promotion")}` : "Extend"}
      act={async () => {
        const message = refusal();
        setWrong(message);
        if (message !== null || end === null) throw new UserFacingError("Choose a later last day.");
        await extend(longer, end);
      }}
    >
      <TextInput
        type="date"
        form="confirm"
        label="Last day"
        description={`The day counts in ${zone}.`}
        min={today}
        value={day}
        onChange={({ currentTarget: { value } }) => {
          setWrong(null);
          setDay(value);
        }}
        error={wrong}
      />
      <Consequences
        of={[
          {
            icon: "calendar-clock",
            what: "Promotions that run longer",
            amount: number(longer.length),
          },
          {
            icon: "player-play",
            what: "Of these, ended ones that run again",
            amount: number(again.length),
          },
          {
            icon: "minus",
            what: "Promotions that end later already, and stay",
            amount: number(promotions.length - longer.length),
          },
        ]}
      />
    </Confirm>
  );
};
