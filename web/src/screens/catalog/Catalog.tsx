import "./catalog.css";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { Permission } from "@purser/contract/auth/permissions";
import { catalogFormats, exportCatalog } from "@purser/contract/catalog/catalog";
import { useRef, useState } from "react";
import { addressOf, CallError } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { list } from "#lib/intl.ts";
import { permissionNames } from "#lib/labels/permissions.ts";
import { messageText } from "#lib/serverMessages.ts";
import { useMay } from "#lib/session/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { FormSection } from "#ui/form/Field.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Callout, Refused } from "#ui/page/Callout.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { type Applied, apply, compare, type Difference } from "./calls.ts";
import { Differences, Faults } from "./Differences.tsx";
import { FileField } from "./FileField.tsx";
import { applyLabels, packageAddress } from "./labels.ts";

/** The comparison result; always belongs to the text in the field. */
type Known = {
  difference?: Difference;
  hasMoved?: boolean;
  refusal?: UserFacingError;
  applied?: Applied;
};

const useCatalog = () => {
  const [given, setGiven] = useState({ source: "", archiveMissing: false });
  const [known, setKnown] = useState<Known>({});
  const [busy, setBusy] = useState<"comparing" | "applying" | null>(null);
  const asked = useRef(0);

  const change = (next: Partial<typeof given>) => {
    asked.current += 1;
    setBusy(null);
    setKnown({});
    setGiven((before) => ({ ...before, ...next }));
  };

  const run = async (doing: typeof busy, work: () => Promise<Known>) => {
    asked.current += 1;
    const mine = asked.current;
    setBusy(doing);
    const outcome = await work().catch((error: unknown): Known => {
      if (error instanceof UserFacingError) return { refusal: error };
      throw error;
    });
    // Ignores replies about an outdated text.
    if (mine !== asked.current) return;
    setBusy(null);
    setKnown(outcome);
  };

  const compareThis = (next = given) =>
    run("comparing", async () => ({ difference: await compare(next) }));

  const take = (source: string) => {
    change({ source });
    void compareThis({ ...given, source });
  };

  const applyThis = ({ hash }: Difference) =>
    run("applying", async () => {
      const { applied, current } = await apply({ ...given, hash });
      return applied ? { applied } : { difference: current, hasMoved: true };
    });

  return { given, known, busy, change, take, compareThis, applyThis };
};

const showLine = (area: HTMLTextAreaElement | null, line: number) => {
  if (!area) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  const lineHeight = area.scrollHeight / Math.max(lines.length, 1);
  area.scrollTop = Math.max(0, (line - 4) * lineHeight);
};

const exportLabels: Record<(typeof catalogFormats)[number], string> = {
  yaml: t`Export YAML`,
  json: t`Export JSON`,
};

const cli = "purser catalog";
const commands = `${cli} diff catalog.yaml\n${cli} apply catalog.yaml --yes`;

const Exports = () => {
  if (!useMay("packages:export")) return null;
  return catalogFormats.map((format) => (
    <Button
      key={format}
      variant="default"
      component="a"
      {...downloadLink(addressOf(exportCatalog.path, { query: { format } }))}
      leftSection={<Icon name="download" />}
    >
      {exportLabels[format]}
    </Button>
  ));
};

const Result = ({ applied: { detail, drafts } }: { applied: Applied }) => (
  <div>
    <Callout tone="ok" icon="circle-check" role="status">
      <p>{messageText(detail)}</p>
      {drafts.length > 0 && (
        <ul className="catalog-faults">
          {drafts.map(({ id, name, number }) => {
            const address = packageAddress(id);
            const label = t`${name}, version ${number}`;
            return <li key={id}>{address ? <a href={address}>{label}</a> : label}</li>;
          })}
        </ul>
      )}
    </Callout>
  </div>
);

const RefusedFile = ({
  refusal,
  onLine,
}: {
  refusal: UserFacingError;
  onLine: (line: number) => void;
}) => {
  const errors = refusal instanceof CallError ? (refusal.problem.errors ?? []) : [];
  const faults = errors.flatMap(({ line, code, message, parameters = {} }) => {
    if (line === undefined) return [];
    const path = typeof parameters["path"] === "string" ? parameters["path"] : "";
    return [{ line, code: path, message: messageText({ code, text: message, parameters }) }];
  });
  return (
    <div>
      {faults.length > 0 ? (
        <Faults title={t`This file isn't a valid catalog`} faults={faults} onLine={onLine} />
      ) : (
        <Refused refusal={refusal} />
      )}
    </div>
  );
};

const Rail = ({ missing }: { missing: Permission[] }) => {
  const permissions = list(missing.map((permission) => permissionNames[permission]));
  return (
    <aside className="record-rail">
      <Section title={t`How it works`}>
        <p className="soft">
          {t`The file lists all apps, features and packages by code. Either all changes are applied or none.`}
        </p>
        <p className="soft">{t`Changes are saved as drafts. Nothing is published.`}</p>
        {missing.length > 0 && (
          <p className="soft">
            <Trans>
              You can export and preview. To apply a file, ask an owner for <b>{permissions}</b>.
            </Trans>
          </p>
        )}
      </Section>
      <Section title={t`In pull requests`}>
        <p className="soft">{t`Run these commands in CI, with the file in your repository.`}</p>
        <pre className="raw catalog-commands">{commands}</pre>
      </Section>
    </aside>
  );
};

/** Applying a file needs all three permissions. */
const useMissing = () => {
  const may = {
    "apps:write": useMay("apps:write"),
    "features:write": useMay("features:write"),
    "packages:write": useMay("packages:write"),
  };
  const needed = ["apps:write", "features:write", "packages:write"] as const;
  return needed.filter((permission) => !may[permission]);
};

const CatalogScreen = () => {
  const missing = useMissing();
  const mayApply = missing.length === 0;
  const textArea = useRef<HTMLTextAreaElement>(null);
  const { given, known, busy, change, take, compareThis, applyThis } = useCatalog();
  const { difference, hasMoved = false, refusal, applied } = known;
  const onLine = (line: number) => showLine(textArea.current, line);
  const isEmpty = given.source.trim() === "";
  const submit = () => {
    if (!isEmpty && !busy) void compareThis();
  };
  const does = t`Preview changes`;
  useShortcuts([{ keys: "mod+enter", does, group: "records", run: submit }]);
  return (
    <div className="record">
      <PageHead title={t`Catalog as code`} actions={<Exports />} />
      <div className="record-columns" data-form>
        <div className="record-main">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <FormSection title={t`Import`} help={t`YAML or JSON, in the format of the export.`}>
              <FileField
                source={given.source}
                textArea={textArea}
                onChange={(source) => change({ source })}
                onFile={take}
              />
              <label className="catalog-switch">
                <input
                  type="checkbox"
                  role="switch"
                  className="box"
                  checked={given.archiveMissing}
                  aria-checked={given.archiveMissing}
                  onChange={({ currentTarget: { checked } }) => change({ archiveMissing: checked })}
                />
                {t`Archive records that aren't in the file`}
              </label>
              <div>
                <Button
                  type="submit"
                  variant={difference ? "default" : "filled"}
                  disabled={isEmpty}
                  aria-busy={busy === "comparing"}
                >
                  {t`Preview changes`}
                </Button>
              </div>
            </FormSection>
          </form>
          {busy && (
            <p className="softer" role="status">
              {busy === "comparing" ? t`Comparing…` : t`Applying…`}
            </p>
          )}
          {refusal && <RefusedFile refusal={refusal} onLine={onLine} />}
          {applied && <Result applied={applied} />}
          {difference && (
            <Differences difference={difference} hasMoved={hasMoved} onLine={onLine} />
          )}
          {difference && mayApply && difference.changes.length > 0 && (
            <div>
              <Button
                onClick={() => void applyThis(difference)}
                disabled={difference.blockingIssues.length > 0}
                aria-busy={busy === "applying"}
                aria-disabled={busy !== null}
              >
                {applyLabels(difference.changes.length)}
              </Button>
            </div>
          )}
        </div>
        <Rail missing={missing} />
      </div>
    </div>
  );
};

export const Catalog = () =>
  useMay("packages:read") ? <CatalogScreen /> : <Forbidden permission="packages:read" />;
