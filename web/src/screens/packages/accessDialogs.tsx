import { Button, Textarea, TextInput } from "@mantine/core";
import { giveAccess, revokeAccess } from "@purser/contract/rights";
import { type SubmitEvent, useState } from "react";
import { call } from "#lib/call.ts";
import { useZone } from "#lib/time.ts";
import { clockIn, dateIn, dayMs, momentIn, offsetOf } from "#lib/zones.ts";
import { Refused } from "#ui/Callout.tsx";
import { Consequences, Dialog } from "#ui/Dialog.tsx";
import { useKey } from "#ui/form/useRecordForm.ts";
import { useSending } from "#ui/form/useSending.ts";
import { toast } from "#ui/toast.ts";
import { type Package, packagesChanged, type Right } from "./queries.ts";

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** When a day such as 2026-03-01 is over in a zone: whatever is until that day goes on until then. */
const dayEndIn = (zone: string, day: string) =>
  day === "" ? null : momentIn(zone, `${dayOf(new Date(Date.parse(day) + dayMs))}T00:00`);

type GiveProps = { stored: Package; onClose: () => void };

/** Until when: a last day in the person's own zone, or no end. */
const Until = ({ error }: { error: string | undefined }) => {
  const zone = useZone();
  const [hasEnd, setHasEnd] = useState(true);
  const [day, setDay] = useState("");
  const end = dayEndIn(zone, day);
  return (
    <fieldset>
      <legend className="field-label">Until</legend>
      <div className="until">
        <label>
          <input
            type="radio"
            name="until"
            value="day"
            checked={hasEnd}
            onChange={() => setHasEnd(true)}
          />
          A last day
        </label>
        <label>
          <input
            type="radio"
            name="until"
            value="never"
            checked={!hasEnd}
            onChange={() => setHasEnd(false)}
          />
          No end
        </label>
      </div>
      {hasEnd && (
        <TextInput
          type="date"
          name="endsAt"
          aria-label="Last day"
          min={clockIn(zone, new Date()).slice(0, 10)}
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
          error={error}
          description={
            end
              ? `Ends when ${dateIn(zone, new Date(end.getTime() - 1))} is over in ${zone} (${offsetOf(zone, end)}).`
              : `The day counts in ${zone}.`
          }
        />
      )}
    </fieldset>
  );
};

export const GiveAccessDialog = ({ stored, onClose }: GiveProps) => {
  const { id: packageId, name, onSale } = stored;
  const zone = useZone();
  const { errors, refusal, busy, send } = useSending();
  const [missing, setMissing] = useState<string>();
  // A second click, or a try after a lost answer, gives nothing twice: the same is sent with the same key.
  const keyFor = useKey();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const read = (field: string) => String(fields.get(field) ?? "");
    const isForEver = read("until") === "never";
    const day = read("endsAt");
    setMissing(isForEver || day !== "" ? undefined : "must be a day, or choose no end");
    if (!isForEver && day === "") {
      form.querySelector<HTMLElement>("[name=endsAt]")?.focus();
      return;
    }
    const body = {
      email: read("email").trim(),
      packageId,
      endsAt: isForEver ? null : (dayEndIn(zone, day)?.toISOString() ?? null),
      reason: read("reason"),
    };
    void send(form, async () => {
      const right = await call(giveAccess, { body, key: keyFor(body) });
      await packagesChanged();
      toast(`${right.user.name || right.user.email} holds ${name} now.`);
      onClose();
    });
  };

  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Give access to ${name}`}
      fact={`The person gets version ${onSale?.number ?? ""}, without paying.`}
      sign={{ icon: "gift", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="give-access" aria-busy={busy}>
            Give access
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <form id="give-access" className="stacked-form" onSubmit={submit} noValidate>
        <TextInput
          label="Mail"
          name="email"
          type="email"
          autoComplete="off"
          description="Somebody who is not known yet becomes a customer."
          error={errors["email"]}
          data-autofocus
        />
        <Until error={missing ?? errors["endsAt"]} />
        <Textarea
          label="Reason"
          name="reason"
          description="Kept with the right, for everybody who asks why."
          minRows={2}
          error={errors["reason"]}
        />
      </form>
    </Dialog>
  );
};

type RevokeProps = { stored: Package; right: Right; onClose: () => void };

export const RevokeDialog = ({ stored, right, onClose }: RevokeProps) => {
  const { id, user } = right;
  const { errors, refusal, busy, send } = useSending();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const reason = String(new FormData(form).get("reason") ?? "");
    void send(form, async () => {
      await call(revokeAccess, { params: { id }, body: { reason } });
      // Its button is gone by the time the dialog is, so that the focus is not given back to it.
      await packagesChanged();
      toast(`${user.name || user.email} no longer holds ${stored.name}.`);
      onClose();
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      alert
      title={`Revoke the access of ${user.name || user.email}?`}
      fact="It ends now. The right is kept in the history, with your reason."
      sign={{ icon: "ban", tone: "bad" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="revoke-access" color="red" data-tone="bad" aria-busy={busy}>
            Revoke access
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <Consequences
        of={[
          { icon: "ban", what: "Rights that end now", amount: "1" },
          {
            icon: "package",
            what: `Version of ${stored.name}`,
            amount: String(right.package?.number ?? "–"),
          },
        ]}
      />
      <form id="revoke-access" className="stacked-form" onSubmit={submit} noValidate>
        <Textarea
          label="Reason"
          name="reason"
          minRows={2}
          error={errors["reason"]}
          data-autofocus
        />
      </form>
    </Dialog>
  );
};
