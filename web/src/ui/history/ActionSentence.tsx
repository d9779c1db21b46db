import { plural, t } from "@lingui/core/macro";
import { entities, entityNames } from "@purser/contract/entities";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { actorInSentence } from "../record/Actor.tsx";
import { type Action, mainOf, type Names, otherRecordsOf } from "./action.ts";
import { type Told, tell } from "./sentences.ts";

// Placeholders that no text contains.
const actorMark = "\u0001";
const recordMark = "\u0002";
const marks = new RegExp(`([${actorMark}${recordMark}])`);

/** The page of a record; null if it has none. */
const pageOf = (subject: Told["subject"]) => {
  if (!subject) return null;
  const { entity, id } = subject;
  if (entity === "settings") return "/settings";
  if (entity === "webhook_endpoints") return "/webhook";
  if (entity === "service_accounts" || entity === "service_keys") return "/settings";
  if (entity === "imports") return `/import/${id}`;
  if (entity === "approvals") return `/approvals?preview=${id}`;
  const name = entityNames.find((one) => one === entity);
  return name ? entities[name].page.replace("$id", id) : null;
};

type Props = {
  action: Pick<Action, "actor" | "entries" | "total">;
  names: Names;
  /** Marks the search word in a text. */
  mark?: (text: string) => ReactNode;
};

/** Who did what to which record, in one sentence. */
export const ActionSentence = ({ action, names, mark = (text) => text }: Props) => {
  const { actor, entries } = action;
  const others = otherRecordsOf(action);
  const main = mainOf(entries);
  if (!main) return null;
  const { say, name, subject } = tell(main, names, t`(no name)`);
  const page = pageOf(subject);
  const pieces = say(actorMark, recordMark)
    .split(marks)
    .map((piece) => {
      if (piece === actorMark) return <b key="actor">{mark(actorInSentence(actor))}</b>;
      if (piece !== recordMark) return mark(piece);
      return page ? (
        <Link key="record" to={page} className="sentence-link">
          {mark(name)}
        </Link>
      ) : (
        <span key="record">{mark(name)}</span>
      );
    });
  return (
    <>
      {pieces}
      {others > 0 &&
        ` ${plural(others, { one: "and # more record", other: "and # more records" })}`}
    </>
  );
};

/** The sentence as plain text, for labels. */
export const sentenceText = (
  { actor, entries }: Pick<Action, "actor" | "entries">,
  names: Names,
) => {
  const main = mainOf(entries);
  if (!main) return "";
  const { say, name } = tell(main, names, t`(no name)`);
  return say(actorInSentence(actor), name);
};
