import { Icon } from "./Icon.tsx";

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map(([first = ""]) => first)
    .slice(0, 2)
    .join("");

export const Avatar = ({ name }: { name: string }) => (
  <span className="avatar" aria-hidden="true">
    {initialsOf(name)}
  </span>
);

/** For changes not made by a user: jobs, API keys, direct database access. */
export const MachineAvatar = ({ icon }: { icon: "bolt" | "key" | "database" }) => (
  <span className="avatar" data-kind="machine" aria-hidden="true">
    <Icon name={icon} size={14} />
  </span>
);
