import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { CallError } from "#lib/api/call.ts";
import { list } from "#lib/intl.ts";
import { Callout } from "../page/Callout.tsx";
import { Empty } from "../page/Empty.tsx";

type Props = { error: CallError; onClear: () => void };

/** The URL asks for something unknown; the server says which part. */
export const Unreadable = ({ error, onClear }: Props) => (
  <Empty
    icon="zoom-question"
    title={t`Can't show this list`}
    actions={<Button onClick={onClear}>{t`Clear search and filters`}</Button>}
  >
    <p>{error.message}</p>
  </Empty>
);

/** Names in the URL that the list doesn't know, so that a mistyped filter isn't trusted. */
export const UnknownParameters = ({ names }: { names: string[] }) => {
  const parameters = list(names.map((name) => t`“${name}”`));
  return (
    <div className="list-note">
      <Callout tone="warn" icon="alert-triangle">
        {plural(names.length, {
          one: `The URL parameter ${parameters} is unknown and was ignored.`,
          other: `The URL parameters ${parameters} are unknown and were ignored.`,
        })}
      </Callout>
    </div>
  );
};
