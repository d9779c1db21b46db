import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "#lib/session/session.ts";
import { Day } from "#ui/Moment.tsx";
import { Section } from "#ui/page/Page.tsx";
import { linkOf, notesQuery } from "../queries.ts";

/** The newest note that isn't crossed out, with a link to all of them. */
export const LatestNote = ({ id }: { id: string }) => {
  const { data } = useQuery(notesQuery(id));
  const mayWrite = useMay("users:write");
  const latest = data?.find(({ crossedOutAt }) => crossedOutAt === null);
  return (
    <Section
      title={t`Latest note`}
      actions={
        <Link to={linkOf({ id })} search={{ tab: "notes" }} className="sentence-link">
          {mayWrite ? t`Add note` : t`View notes`}
        </Link>
      }
    >
      {data && !latest && <p className="soft">{t`No notes yet.`}</p>}
      {latest && (
        <>
          <p className="comment-text">{latest.text}</p>
          <small className="soft">
            {latest.author.name}, <Day at={latest.createdAt} />
          </small>
        </>
      )}
    </Section>
  );
};
