import { t } from "@lingui/core/macro";
import { type ReactNode, Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { usableApp } from "./queries.ts";

const QuickApp = part(async () => (await import("./QuickApp.tsx")).QuickApp);

type Props = {
  path: string;
  help: string;
  value: string;
  onChange: (id: string) => void;
  error?: ReactNode;
};

/** Picks an existing app or creates one. */
export const AppPicker = ({ onChange, ...field }: Props) => {
  const mayWrite = useMay("apps:write");
  const [named, setNamed] = useState<string | null>(null);
  return (
    <>
      <Picker
        {...field}
        label={t`App`}
        relation={usableApp}
        onChange={onChange}
        onCreate={mayWrite ? setNamed : null}
        createLabel={t`Create a new app`}
      />
      <Suspense>
        {named !== null && (
          <QuickApp
            name={named}
            onClose={() => setNamed(null)}
            onCreated={({ id }) => {
              setNamed(null);
              onChange(id);
            }}
          />
        )}
      </Suspense>
    </>
  );
};
