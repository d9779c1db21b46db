import { t } from "@lingui/core/macro";
import type { Activity } from "@purser/contract/workspace/audit";
import { Link } from "@tanstack/react-router";
import { useMay } from "#lib/session/session.ts";
import { Avatar, MachineAvatar } from "../Avatar.tsx";

type Actor = Activity["actor"];

const machines = { key: "key", system: "bolt", database: "database" } as const;
const names: Record<keyof typeof machines, string> = {
  key: t`API key`,
  system: "Purser",
  database: t`Direct database change`,
};

export const unknownUser = t`Unknown user`;

/** Who made the change: a user, an API key, Purser, or someone with database access. */
export const actorName = ({ kind, name }: Actor) =>
  kind === "user" ? (name ?? unknownUser) : names[kind];

/** The same as the subject of a sentence. */
export const actorInSentence = (actor: Actor) =>
  actor.kind === "database" ? t`A database user` : actorName(actor);

export const ActorAvatar = ({ actor }: { actor: Actor }) =>
  actor.kind === "user" ? (
    <Avatar name={actorName(actor)} />
  ) : (
    <MachineAvatar icon={machines[actor.kind]} />
  );

/** The name, linked for users who may read team members. */
export const ActorName = ({ actor }: { actor: Actor }) => {
  const mayRead = useMay("team:read");
  const name = actorName(actor);
  const to: string = `/users/view/${actor.id}`;
  return mayRead && actor.kind === "user" && actor.id ? (
    <Link to={to} className="actor-link">
      {name}
    </Link>
  ) : (
    name
  );
};
