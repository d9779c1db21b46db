import { cloneElement, Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import { i18n, type MessageId, type Values } from "#lib/i18n.ts";

type Elements = Record<string, ReactElement<{ children?: ReactNode }>>;
type Props = { id: MessageId; message?: string; values?: Values; components?: Elements };

const anyTag = /<\/?\d+\/?>/;
const tag = /<(\d+)>([\s\S]*?)<\/\1>|<(\d+)\/>/;

/** Replaces the numbered tags of a translated text by their elements. */
const withElements = (text: string, elements: Elements): ReactNode[] => {
  const [whole, outer, inner = "", single] = tag.exec(text) ?? [];
  if (whole === undefined) return text === "" ? [] : [text];
  const index = text.indexOf(whole);
  const element = elements[outer ?? single ?? ""];
  const content = outer === undefined ? undefined : withElements(inner, elements);
  return [
    ...withElements(text.slice(0, index), elements),
    element ? cloneElement(element, {}, ...(content ?? [])) : content,
    ...withElements(text.slice(index + whole.length), elements),
  ];
};

/** A text with elements in it. Use the macro of the same name, which turns into this. */
export const Trans = ({ id, message, values = {}, components = {} }: Props) => {
  const elements: Elements = { ...components };
  const texts: Values = {};
  for (const [name, value] of Object.entries(values)) {
    // What users wrote is no tag of the message.
    const isTagged = typeof value === "string" && anyTag.test(value);
    const shown = isTagged ? <Fragment key={name}>{value}</Fragment> : value;
    if (isValidElement<{ children?: ReactNode }>(shown)) {
      const key = String(Object.keys(elements).length + 1000);
      elements[key] = shown;
      texts[name] = `<${key}/>`;
    } else texts[name] = value;
  }
  const text = i18n._({ id, ...(message !== undefined && { message }), values: texts });
  return withElements(text, elements).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity.
    <Fragment key={place}>{part}</Fragment>
  ));
};
