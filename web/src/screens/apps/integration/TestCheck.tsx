import { t } from "@lingui/core/macro";
import "#ui/form/form.css";
import "#ui/styles/choiceSheets.ts";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { reasonNames } from "#lib/labels/reasons.ts";
import { anyUser } from "#screens/users/queries.ts";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import type { App } from "../queries.ts";
import { CopyCommand } from "./CopyCommand.tsx";
import { type Run, runQuery, testableQuery } from "./queries.ts";

const answerStatus = (isAllowed: boolean) =>
  isAllowed
    ? ({ word: t`Allowed`, icon: "circle-check", tone: "ok" } as const)
    : ({ word: t`Denied`, icon: "circle-x", tone: "bad" } as const);

const Result = ({ app, run }: { app: string; run: Run | null }) => {
  const { data, error, refetch } = useQuery(runQuery(app, run));
  if (error)
    return <Failed title={t`Couldn't run the check`} error={error} onRetry={() => refetch()} />;
  if (!data) return null;
  const { answer, command } = data;
  return (
    <>
      <div className="check-answer" role="status">
        <p>
          <Status status={answerStatus(answer.allowed)} loud /> <b>{reasonNames[answer.reason]}</b>
        </p>
        <pre>{JSON.stringify(answer, null, 2)}</pre>
      </div>
      <CopyCommand title={t`Request`} command={command} />
    </>
  );
};

/** Runs a check as the app would, which is counted neither as a check nor as usage. */
export const TestCheck = ({ app }: { app: App }) => {
  const { data: features = [] } = useQuery(testableQuery(app.id));
  const [user, setUser] = useState("");
  const [chosen, setFeature] = useState("");
  const [amount, setAmount] = useState("1");
  const [run, setRun] = useState<Run | null>(null);
  const feature = chosen || (features[0]?.code ?? "");
  const isValid = /^[1-9][0-9]{0,14}$/.test(amount);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (user && feature && isValid) setRun({ n: (run?.n ?? 0) + 1, user, feature, amount });
  };
  return (
    <Section title={t`Test check`} note={t`Not counted as a check or usage`}>
      {features.length === 0 ? (
        <p className="softer">{t`Add a feature to test a check.`}</p>
      ) : (
        <form className="check-form" onSubmit={submit} noValidate>
          <Picker
            relation={anyUser}
            label={t`Customer`}
            path="customer"
            value={user}
            onChange={setUser}
            onCreate={null}
          />
          <div className="form-pair">
            <NativeSelect
              label={t`Feature`}
              value={feature}
              data={features.map(({ code, name }) => ({ value: code, label: name }))}
              onChange={({ currentTarget }) => setFeature(currentTarget.value)}
            />
            <TextInput
              label={t`Amount`}
              inputMode="numeric"
              value={amount}
              onChange={({ currentTarget }) => setAmount(currentTarget.value.trim())}
              error={isValid ? null : t`Enter a whole number from 1.`}
            />
          </div>
          <Button
            type="submit"
            fullWidth
            disabled={user === ""}
            leftSection={<Icon name="player-play" />}
          >
            {t`Run check`}
          </Button>
        </form>
      )}
      <Result app={app.id} run={run} />
    </Section>
  );
};
