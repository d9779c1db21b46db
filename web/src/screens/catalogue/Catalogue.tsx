import "./catalogue.css";
import { Button } from "@mantine/core";
import { catalogFormats, exportCatalogue } from "@purser/contract/catalog/catalog";
import { useRef, useState } from "react";
import { addressOf, CallError } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { useMay } from "#lib/session/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { FormSection } from "#ui/form/Field.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Callout, Refused } from "#ui/page/Callout.tsx";
import { Forbidden } from "#ui/page/Empty.tsx";
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

const useCatalogue = () => {
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

const formatNames = { yaml: "YAML", json: "JSON" } as const;

const Exports = () =>
  catalogFormats.map((format) => (
    <Button
      key={format}
      variant="default"
      component="a"
      href={addressOf(exportCatalogue.path, { query: { format } })}
      download
      leftSection={<Icon name="download" />}
    >
      Export {formatNames[format]}
    </Button>
  ));

const Result = ({ applied: { detail, drafts } }: { applied: Applied }) => (
  <div>
    <Callout tone="ok" icon="circle-check" role="status">
      <p>{detail}</p>
      {drafts.length > 0 && (
        <ul className="catalogue-faults">
          {drafts.map(({ id, name, number }) => {
            const address = packageAddress(id);
            const words = `${name}, version ${number}`;
            return <li key={id}>{address ? <a href={address}>{words}</a> : words}</li>;
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
  const faults = errors.flatMap(({ line, message }) =>
    line === undefined ? [] : [{ line, message }],
  );
  return (
    <div>
      {faults.length > 0 ? (
        <Faults title="The file cannot be read as a catalogue:" faults={faults} onLine={onLine} />
      ) : (
        <Refused refusal={refusal} />
      )}
    </div>
  );
};

const Rail = ({ mayApply }: { mayApply: boolean }) => (
  <aside className="record-rail">
    <Section title="What happens">
      <p className="soft">
        A file has all apps, features and packages, each by its code. It is compared with this
        office first; applying does all that is shown, or nothing.
      </p>
      <p className="soft">
        Nothing is published: what a package holds goes into its draft, and waits there.
      </p>
      {!mayApply && (
        <p className="soft">
          You may export and compare. To apply a file, ask an owner for <b>Packages: edit</b>.
        </p>
      )}
    </Section>
    <Section title="In pull requests">
      <p className="soft">The same from a build, with the file in a repository:</p>
      <pre className="raw catalogue-commands">{`purser catalogue diff catalogue.yaml\npurser catalogue apply catalogue.yaml --yes`}</pre>
    </Section>
  </aside>
);

/** Applying a file needs all three permissions. */
const useMayApply = () => {
  const mayWrite = [useMay("packages:write"), useMay("features:write"), useMay("apps:write")];
  return mayWrite.every(Boolean);
};

const CatalogScreen = () => {
  const mayApply = useMayApply();
  const textArea = useRef<HTMLTextAreaElement>(null);
  const { given, known, busy, change, take, compareThis, applyThis } = useCatalogue();
  const { difference, hasMoved = false, refusal, applied } = known;
  const onLine = (line: number) => showLine(textArea.current, line);
  const isEmpty = given.source.trim() === "";
  const submit = () => {
    if (!isEmpty && !busy) void compareThis();
  };
  const does = "Compare the file with the office";
  useShortcuts([{ keys: "mod+enter", does, group: "Records and forms", run: submit }]);
  return (
    <div className="record">
      <PageHead title="Catalogue as code" acts={<Exports />} />
      <div className="record-columns" data-form>
        <div className="record-main">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <FormSection title="Import" help="YAML or JSON, as an office exports it.">
              <FileField
                source={given.source}
                textArea={textArea}
                onChange={(source) => change({ source })}
                onFile={take}
              />
              <label className="catalogue-switch">
                <input
                  type="checkbox"
                  role="switch"
                  className="box"
                  checked={given.archiveMissing}
                  aria-checked={given.archiveMissing}
                  onChange={({ currentTarget: { checked } }) => change({ archiveMissing: checked })}
                />
                Archive what the file does not have
              </label>
              <div>
                <Button
                  type="submit"
                  variant={difference ? "default" : "filled"}
                  disabled={isEmpty}
                  aria-busy={busy === "comparing"}
                >
                  Compare with the office
                </Button>
              </div>
            </FormSection>
          </form>
          {busy && (
            <p className="softer" role="status">
              {busy === "comparing" ? "Comparing with the office…" : "Applying…"}
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
                disabled={difference.obstacles.length > 0}
                aria-busy={busy === "applying"}
                aria-disabled={busy !== null}
              >
                {applyLabels(difference.changes.length)}
              </Button>
            </div>
          )}
        </div>
        <Rail mayApply={mayApply} />
      </div>
    </div>
  );
};

export const Catalogue = () =>
  useMay("packages:read") ? (
    <CatalogScreen />
  ) : (
    <Forbidden what="the catalogue as code" permission="Packages: view" />
  );
