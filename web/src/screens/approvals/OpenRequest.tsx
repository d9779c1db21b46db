import { Link, useSearch } from "@tanstack/react-router";
import type { Approval } from "./queries.ts";

/** Opens the request in the side panel. */
export const OpenRequest = ({ approval: { id, summary } }: { approval: Approval }) => {
  const search = useSearch({ from: "/approvals" });
  return (
    <Link
      to="/approvals"
      search={{ ...search, preview: id }}
      resetScroll={false}
      className="request-link"
      {...(search.preview === id && { "aria-current": "true" as const })}
    >
      {summary}
    </Link>
  );
};
