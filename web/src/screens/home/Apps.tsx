import type { listApps } from "@purser/contract/apps";
import type { Wire } from "@purser/contract/endpoint";
import { use } from "react";
import type { Outcome } from "#lib/refusal.ts";

type Props = { page: Promise<Outcome<Wire<typeof listApps>["reply"]>> };

export const Apps = ({ page }: Props) => {
  const { value: found, refusal } = use(page);
  if (refusal) return <p role="alert">{refusal.message}</p>;
  if (found.items.length === 0) return <p>There are no apps yet.</p>;
  return (
    <ul>
      {found.items.map(({ id, name, code, status }) => (
        <li key={id}>
          {name} <code>{code}</code>, {status}
        </li>
      ))}
    </ul>
  );
};
