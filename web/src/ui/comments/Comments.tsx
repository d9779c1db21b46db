import { t } from "@lingui/core/macro";
import "./comments.css";
import { Trans } from "@lingui/react/macro";
import { ActionIcon } from "@mantine/core";
import type { Wire } from "@purser/contract/http/endpoint";
import type { listAppComments } from "@purser/contract/workspace/comments";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMe } from "#lib/session/session.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { CommentForm, type NewComment } from "./CommentForm.tsx";
import { piecesOf } from "./mentions.ts";

export type Comment = Wire<typeof listAppComments>["reply"]["items"][number];

/** The calls and words of one kind of comment. */
export type CommentSource = {
  title: string;
  empty: string;
  failed: string;
  addLabel: string;
  added: string;
  crossOutLabel: string;
  crossedOut: string;
  queryKey: readonly unknown[];
  read: () => Promise<Comment[]>;
  add: (comment: NewComment, key: string) => Promise<unknown>;
  crossOut: (id: string) => Promise<unknown>;
  refresh: () => Promise<unknown>;
};

const Text = ({ text, mentions }: Pick<Comment, "text" | "mentions">) => (
  <>
    {piecesOf(text, mentions).map((piece, place) => {
      const key = `${place} ${piece.text}`;
      return piece.isMention ? (
        <b key={key} className="mention">
          {piece.text}
        </b>
      ) : (
        <span key={key}>{piece.text}</span>
      );
    })}
  </>
);

type OneProps = { comment: Comment; label: string; onCrossOut: (() => void) | null };

const OneComment = ({ comment, label, onCrossOut }: OneProps) => (
  <li id={comment.id} tabIndex={-1} {...(comment.crossedOutAt && { "data-struck": true })}>
    <Avatar name={comment.author.name} />
    <div>
      <p className="comment-line">
        <b>{comment.author.name}</b>
        <span className="soft">
          <Moment at={comment.createdAt} />
        </span>
        {comment.crossedOutAt && (
          <span className="soft">
            <Trans>
              Crossed out <Moment at={comment.crossedOutAt} />
            </Trans>
          </span>
        )}
      </p>
      {comment.crossedOutAt ? (
        <del>{comment.text}</del>
      ) : (
        <p className="comment-text">
          <Text {...comment} />
        </p>
      )}
    </div>
    {onCrossOut && (
      <ActionIcon aria-label={label} data-tip={t`Cross out`} onClick={onCrossOut}>
        <Icon name="eraser" />
      </ActionIcon>
    )}
  </li>
);

/** A link to a comment, for example of a notification, scrolls to it. */
const useLinkedComment = (comments: readonly Comment[] | undefined) => {
  const linked = location.hash.slice(1);
  const isThere = comments?.some(({ id }) => id === linked) ?? false;
  useEffect(() => {
    if (!isThere) return;
    const shown = document.getElementById(linked);
    shown?.scrollIntoView({ block: "center" });
    shown?.focus({ preventScroll: true });
  }, [isThere, linked]);
};

/** Comments with mentions. They can't be edited, only crossed out by their author. */
export const Comments = ({ source, mayWrite }: { source: CommentSource; mayWrite: boolean }) => {
  const { data, error, refetch } = useQuery({ queryKey: source.queryKey, queryFn: source.read });
  const { title } = source;
  const me = useMe();
  useLinkedComment(data);
  if (error && !data)
    return <Failed title={source.failed} error={error} onRetry={() => refetch()} />;
  const add = async (comment: NewComment, key: string) => {
    await source.add(comment, key);
    await source.refresh();
    toast(source.added);
  };
  const crossOut = (id: string) =>
    attempt(async () => {
      await source.crossOut(id);
      await source.refresh();
      toast(source.crossedOut);
    });
  return (
    <Section title={title}>
      {data?.length === 0 && <p className="soft">{source.empty}</p>}
      <ul className="comments">
        {data?.map((comment) => (
          <OneComment
            key={comment.id}
            comment={comment}
            label={source.crossOutLabel}
            onCrossOut={
              mayWrite && comment.author.id === me.id && !comment.crossedOutAt
                ? () => void crossOut(comment.id)
                : null
            }
          />
        ))}
      </ul>
      {mayWrite && <CommentForm label={source.addLabel} send={add} />}
    </Section>
  );
};
