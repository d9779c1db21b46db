import "./apps.css";
import { Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { platforms } from "@purser/contract/apps";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { IconPicker } from "./IconPicker.tsx";
import { type App, readApps } from "./queries.ts";
import { type AppValues, codeFor } from "./values.ts";
import { formWords, platformWords } from "./words.ts";

type Props = {
  record: RecordForm<AppValues>;
  /** The app as it is stored; a new one is not yet. */
  app: App | null;
};

const codePattern = /^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$/;

/** Whether somebody else's app has the code: asked while it is typed, decided by the server on saving. */
const useTaken = (code: string, own: App | null) => {
  const [asked] = useDebouncedValue(code, 300);
  const { data, isFetching } = useQuery({
    queryKey: ["apps", "code", asked],
    queryFn: ({ signal }) =>
      readApps({ f: [`code:is:${asked}`], size: "1", count: "none" }, signal),
    enabled: codePattern.test(asked) && asked !== own?.code,
  });
  const found = data?.items[0];
  if (!found || asked !== code || found.id === own?.id)
    return { taken: null, isFree: Boolean(data) && asked === code && !found, isFetching };
  return { taken: found, isFree: false, isFetching };
};

const codeHelp = (app: App | null, { isFree }: { isFree: boolean }): ReactNode => {
  if (app?.codeFrozen)
    return (
      <>
        Other programs name this code, so it stays.{" "}
        <Link to="/apps/create" search={{ from: app.id }} className="sentence-link">
          Duplicate the app
        </Link>{" "}
        to use another.
      </>
    );
  return isFree
    ? "This code is free."
    : "What the app's own code calls itself. It stays once the app is active or has a key.";
};

const Code = ({ record, app }: Props) => {
  const { form } = record;
  const isFrozen = app?.codeFrozen ?? false;
  const { taken, isFree, isFetching } = useTaken(form.values.code, app);
  const props = form.getInputProps("code");
  return (
    <Field record={record} words={formWords} name="code">
      <TextInput
        label="Code"
        className="mono-input"
        description={codeHelp(app, { isFree })}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        readOnly={isFrozen}
        rightSection={
          isFrozen ? <Icon name="lock" /> : isFree && !isFetching ? <Icon name="check" /> : null
        }
        {...props}
        error={props.error ?? (taken && `is already used by ${taken.name}`)}
      />
    </Field>
  );
};

const Platforms = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  const chosen = form.values.platforms;
  const toggle = (platform: (typeof platforms)[number]) =>
    form.setFieldValue(
      "platforms",
      // Always in the same order, so that ticking twice is no change.
      platforms.filter((one) => (one === platform) !== chosen.includes(one)),
    );
  return (
    <Field record={record} words={formWords} name="platforms">
      <fieldset className="field-group">
        <legend className="field-label">
          <Optional>Platforms</Optional>
        </legend>
        <div className="platforms">
          {platforms.map((platform) => (
            <label key={platform}>
              <input
                type="checkbox"
                className="box"
                checked={chosen.includes(platform)}
                onChange={() => toggle(platform)}
              />
              {platformWords[platform]}
            </label>
          ))}
        </div>
      </fieldset>
    </Field>
  );
};

/** The fields of an app, for a new one and for one that is changed. */
export const AppForm = ({ record, app }: Props) => {
  const { form } = record;
  const [ownCode, setOwnCode] = useState(app !== null || form.values.code !== "");
  // Only a code that the name suggested follows the name; one that came with a restored draft stays.
  const { name: before, code } = form.values;
  const followsName = !ownCode && (code === "" || code === codeFor(before));
  const name = form.getInputProps("name");
  return (
    <>
      <FormSection title="Name" help="How people see the app, here and on receipts.">
        <div className="form-pair">
          <Field record={record} words={formWords} name="name">
            <TextInput
              label="Name"
              {...name}
              onChange={(event) => {
                name.onChange(event);
                if (followsName) form.setFieldValue("code", codeFor(event.currentTarget.value));
              }}
            />
          </Field>
          <div onInput={() => setOwnCode(true)}>
            <Code record={record} app={app} />
          </div>
        </div>
        <Field record={record} words={formWords} name="description">
          <Textarea
            label={<Optional>Description</Optional>}
            {...form.getInputProps("description")}
          />
        </Field>
      </FormSection>
      <FormSection
        title="Look and reach"
        help="The icon stands beside the name wherever the app is shown."
      >
        <div className="form-pair">
          <Field record={record} words={formWords} name="icon">
            <IconPicker
              value={form.values.icon}
              onChange={(icon) => form.setFieldValue("icon", icon)}
              error={(form.errors["icon"] as string | undefined) ?? null}
            />
          </Field>
        </div>
        <Platforms record={record} />
      </FormSection>
      <FormSection title="Support" help="Where people of this app write to.">
        <div className="form-pair">
          <Field record={record} words={formWords} name="supportEmail">
            <TextInput
              label={<Optional>Support mail</Optional>}
              type="email"
              {...form.getInputProps("supportEmail")}
              value={form.values.supportEmail ?? ""}
              onChange={({ currentTarget: { value } }) =>
                form.setFieldValue("supportEmail", value === "" ? null : value)
              }
            />
          </Field>
        </div>
      </FormSection>
    </>
  );
};
