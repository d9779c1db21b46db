import { t } from "@lingui/core/macro";
import "#ui/styles/choiceSheets.ts";
import { Button, Combobox, Textarea, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { listColleagues } from "@purser/contract/workspace/comments";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from "react";
import { call } from "#lib/api/call.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { useSubmit } from "#ui/form/useSubmit.ts";
import { Refused } from "#ui/page/Callout.tsx";
import { mentionBefore, mentionedIn, withMention } from "./mentions.ts";

export type NewComment = { text: string; mentions: string[] };

type Person = { id: string; name: string };

type Props = {
  /** The label of the field and of the button: "Add comment". */
  label: string;
  send: (comment: NewComment, key: string) => Promise<void>;
};

const useColleagues = (typed: string | null) => {
  const [q] = useDebouncedValue(typed ?? "", 150);
  const { data } = useQuery({
    queryKey: ["colleagues", q],
    queryFn: () => call(listColleagues, { query: q ? { q } : {} }),
    enabled: typed !== null,
  });
  return data?.items ?? [];
};

/** A text in which @ mentions a team member. */
export const CommentForm = ({ label, send: add }: Props) => {
  const [text, setText] = useState("");
  const [known, setKnown] = useState<readonly Person[]>([]);
  /** What is typed after an @, or null. */
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const combobox = useCombobox();
  const found = useColleagues(typed);
  const { errors, refusal, busy, send } = useSubmit();
  // A retry after a lost reply reuses the key, so that nothing is stored twice.
  const keyFor = useIdempotencyKey();
  const isOpen = typed !== null && found.length > 0;

  const readTyped = () => {
    const { value = "", selectionStart = 0 } = field.current ?? {};
    const next = mentionBefore(value.slice(0, selectionStart));
    setTyped(next);
    if (next === null) combobox.closeDropdown();
    else combobox.openDropdown();
  };
  const choose = (id: string) => {
    const person = found.find((one) => one.id === id);
    const place = field.current?.selectionStart ?? text.length;
    if (!person) return;
    const next = withMention(text, place, person.name);
    setText(next.text);
    setKnown([...known, person]);
    setTyped(null);
    combobox.closeDropdown();
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.place, next.place);
    });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const comment = { text, mentions: mentionedIn(text, known) };
    void send(event.currentTarget, async () => {
      await add(comment, keyFor(comment));
      setText("");
      setKnown([]);
    });
  };
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    }
    if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      setTyped(null);
      combobox.closeDropdown();
    }
  };
  return (
    <form className="comment-form" onSubmit={submit} noValidate>
      <Refused refusal={refusal} />
      <Combobox store={combobox} onOptionSubmit={choose} keepMounted={false}>
        <Combobox.Target withExpandedAttribute={isOpen} withKeyboardNavigation={isOpen}>
          <Textarea
            ref={field}
            label={label}
            description={t`Type @ to mention a team member.`}
            name="text"
            autosize
            minRows={2}
            maxRows={10}
            maxLength={4000}
            value={text}
            error={errors["text"] ?? errors["mentions"]}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              readTyped();
            }}
            onClick={readTyped}
            onKeyDown={pressed}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isOpen}>
          <Combobox.Options aria-label={t`Team members`}>
            {found.map(({ id, name }) => (
              <Combobox.Option value={id} key={id}>
                <span className="mention-option">
                  <Avatar name={name} /> {name}
                </span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Button type="submit" variant="default" aria-busy={busy} disabled={text.trim() === ""}>
        {label}
      </Button>
    </form>
  );
};
