import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { Field, type FormLabels } from "../Field.tsx";
import type { RecordForm } from "../useRecordForm.ts";
import { codeFor, codePattern } from "./code.ts";

type Named = { name: string; code: string };

/** The scope in which a code must be unique, and the lookup of who uses it. */
export type CodeScope = {
  queryKey: readonly unknown[];
  find: (code: string, signal: AbortSignal) => Promise<{ items: { id: string; name: string }[] }>;
};

type Props<V extends Named & Record<string, unknown>> = {
  record: RecordForm<V>;
  words: FormLabels<V>;
  /** The stored record. Absent for new ones. */
  own: { id: string; code: string } | null;
  /** Why the code is locked, if it is. */
  frozen: ReactNode;
  help: string;
  /** Null while the scope is unknown. */
  scope: CodeScope | null;
};

type Asked = { own: Props<Named>["own"]; scope: CodeScope | null };

/** Checks for duplicates while typing. The server decides on saving. */
const useTaken = (code: string, { own, scope }: Asked) => {
  const [asked] = useDebouncedValue(code, 300);
  const { data, isFetching } = useQuery({
    queryKey: [...(scope?.queryKey ?? []), "code", asked],
    queryFn: ({ signal }) => scope?.find(asked, signal) ?? { items: [] },
    enabled: scope !== null && codePattern.test(asked) && asked !== own?.code,
  });
  const found = data?.items[0];
  if (!found || asked !== code || found.id === own?.id)
    return { taken: null, isFree: Boolean(data) && asked === code && !found, isFetching };
  return { taken: found, isFree: false, isFetching };
};

const takenText = ({ name }: { name: string }) =>
  t`This code is already used by ${name}. Choose another one.`;

const Code = <V extends Named & Record<string, unknown>>(props: Props<V>) => {
  const { record, words, own, frozen, help, scope } = props;
  const { form } = record;
  const isFrozen = Boolean(frozen);
  const { taken, isFree, isFetching } = useTaken(form.values.code, { own, scope });
  const input = form.getInputProps("code");
  return (
    <Field record={record} words={words} name="code">
      <TextInput
        label={t`Code`}
        className="mono-input"
        description={frozen || (isFree ? t`This code is available.` : help)}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        readOnly={isFrozen}
        rightSection={
          isFrozen ? <Icon name="lock" /> : isFree && !isFetching ? <Icon name="check" /> : null
        }
        {...input}
        error={input.error ?? (taken && takenText(taken))}
      />
    </Field>
  );
};

/** Name and code of a record. The name suggests the code of a new one. */
export const NameAndCode = <V extends Named & Record<string, unknown>>(props: Props<V>) => {
  const { record, words, own } = props;
  const { form } = record;
  const { name: before, code } = form.values;
  const [ownCode, setOwnCode] = useState(own !== null || code !== "");
  // Only a suggested code follows the name, not one from a restored draft.
  const followsName = !ownCode && (code === "" || code === codeFor(before));
  const name = form.getInputProps("name");
  return (
    <div className="form-pair">
      <Field record={record} words={words} name="name">
        <TextInput
          label={t`Name`}
          {...name}
          onChange={(event) => {
            name.onChange(event);
            if (followsName)
              form.setFieldValue("code", codeFor(event.currentTarget.value) as never);
          }}
        />
      </Field>
      <div onInput={() => setOwnCode(true)}>
        <Code {...props} />
      </div>
    </div>
  );
};
