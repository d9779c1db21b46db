import { t } from "@lingui/core/macro";
import "#ui/styles/choiceSheets.ts";
import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { reasonLabels } from "./labels.ts";
import { answerQuery, type Explained } from "./queries.ts";

type Props = { userId: string; name: string; items: Explained[]; onClose: () => void };

const copy = (text: string) =>
  attempt(async () => {
    await navigator.clipboard.writeText(text);
    toast(t`Command copied. Insert a server key of the app.`);
  });

const resultText = (isAllowed: boolean, reason: string) =>
  isAllowed ? t`Allowed. ${reason}.` : t`Not allowed. ${reason}.`;

/** The exact reply a sold app gets about a customer, with a command to request it. */
export const TestCheckDialog = ({ userId, name, items, onClose }: Props) => {
  const apps = [...new Map(items.map(({ app }) => [app.id, app])).values()];
  const [appId, setApp] = useState(apps[0]?.id ?? "");
  const features = items.filter(({ app }) => app.id === appId).map(({ feature }) => feature);
  const [chosen, setFeature] = useState("");
  const code = features.find((one) => one.code === chosen)?.code ?? features[0]?.code ?? "";
  const { data, error, refetch } = useQuery(answerQuery(userId, appId, code));
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Test as an app`}
      fact={t`The response that the app gets for ${name} right now.`}
      sign={{ icon: "player-play", tone: "info" }}
      size={640}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Close`}
          </Button>
          <Button onClick={() => void refetch()}>{t`Test again`}</Button>
        </>
      }
    >
      <div className="form-pair">
        <NativeSelect
          label={t`App`}
          value={appId}
          data={apps.map((app) => ({ value: app.id, label: app.name }))}
          onChange={({ currentTarget }) => setApp(currentTarget.value)}
        />
        <NativeSelect
          label={t`Feature`}
          value={code}
          data={features.map((one) => ({ value: one.code, label: one.name }))}
          onChange={({ currentTarget }) => setFeature(currentTarget.value)}
        />
      </div>
      {error && (
        <Failed title={t`Couldn't load the result`} error={error} onRetry={() => refetch()} />
      )}
      {data && (
        <>
          <Callout
            tone={data.answer.allowed ? "ok" : "bad"}
            icon={data.answer.allowed ? "circle-check" : "circle-x"}
            role="status"
          >
            {resultText(data.answer.allowed, reasonLabels[data.answer.reason])}
          </Callout>
          <section aria-label={t`Response`}>
            <pre className="asked">{JSON.stringify(data.answer, null, 2)}</pre>
          </section>
          <section aria-label={t`Command`}>
            <pre className="asked">{data.command}</pre>
            <button type="button" className="quiet-link" onClick={() => void copy(data.command)}>
              {t`Copy command`}
            </button>
          </section>
        </>
      )}
    </Dialog>
  );
};
