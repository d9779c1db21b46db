import { t } from "@lingui/core/macro";
import { Button, TextInput } from "@mantine/core";
import {
  type ReportSchedule,
  reportSchedules,
  saveReport,
  scheduleReport,
} from "@purser/contract/reports/saved";
import type { ReportSearch } from "@purser/contract/reports/search";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { Icon } from "#ui/Icon.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Choice } from "#ui/reports/PeriodControls.tsx";
import { savedQuery } from "./queries.ts";

export type ChosenSchedule = ReportSchedule | "never";

const scheduleLabels: Record<ReportSchedule, string> = {
  weekly: t`Every Monday`,
  monthly: t`First day of each month`,
};

type ScheduleProps = {
  label: string;
  value: ChosenSchedule;
  onChange: (value: ChosenSchedule) => void;
};

/** How often the user gets a saved report by email. */
export const ScheduleChoice = (props: ScheduleProps) => (
  <Choice<ChosenSchedule>
    {...props}
    options={[
      { value: "never", label: t`Never` },
      ...reportSchedules.map((value) => ({ value, label: scheduleLabels[value] })),
    ]}
  />
);

const SaveForm = ({ search, onDone }: { search: ReportSearch; onDone: () => void }) => {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [schedule, setSchedule] = useState<ChosenSchedule>("never");
  const [refusal, setRefusal] = useState<string | null>(null);
  const save = async () => {
    try {
      const { id } = await call(saveReport, { body: { name: name.trim(), search } });
      if (schedule !== "never") await call(scheduleReport, { params: { id }, body: { schedule } });
    } catch (error) {
      if (!(error instanceof CallError && error.is("taken"))) throw error;
      return setRefusal(t`Another report has this name. Choose a different one.`);
    }
    onDone();
    await queryClient.invalidateQueries(savedQuery);
    toast(t`Report saved for your team`, {
      label: t`View saved reports`,
      run: () => navigate({ to: "/reports", search: { tab: "saved" } as never }),
    });
  };
  return (
    <form
      className="save-report"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void attempt(save);
      }}
    >
      <TextInput
        label={t`Report name`}
        description={t`Everyone who can view reports sees it.`}
        data-autofocus
        maxLength={80}
        value={name}
        error={refusal}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
          setRefusal(null);
        }}
      />
      <div className="save-report-email">
        <span aria-hidden="true">{t`Email to me`}</span>
        <ScheduleChoice label={t`Email to me`} value={schedule} onChange={setSchedule} />
      </div>
      <Button type="submit" size="xs" disabled={!name.trim()}>
        {t`Save report`}
      </Button>
    </form>
  );
};

/** Saves the report with its period and groups for the team. */
export const SaveReport = ({ search }: { search: ReportSearch }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popup
      kind="dialog"
      label={t`Save report`}
      opened={isOpen}
      onClose={() => setOpen(false)}
      place="bottom-end"
      width={280}
      trigger={
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={15} />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t`Save report`}
        </Button>
      }
    >
      {(close) => <SaveForm search={search} onDone={close} />}
    </Popup>
  );
};
