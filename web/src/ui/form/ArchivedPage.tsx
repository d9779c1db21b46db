import { Link, type LinkProps } from "@tanstack/react-router";
import { Empty } from "../page/Empty.tsx";
import { PageHead } from "../page/Page.tsx";
import { lifeLabels } from "../record/lifecycle.tsx";
import { Status } from "../Status.tsx";

type Props = {
  /** The entity's word with its article: "An archived app". */
  what: string;
  name: string;
  /** The record's own page. */
  parent: { label: string } & LinkProps;
};

/** In place of the form of a record that is archived. */
export const Archived = ({ what, name, parent: { label, ...link } }: Props) => (
  <div className="record">
    <PageHead
      title={`Edit ${name}`}
      parent={{ label, ...link }}
      meta={<Status status={lifeLabels.archived} loud />}
    />
    <Empty icon="archive" title={`${name} is archived`}>
      <p>
        {what} cannot be changed.{" "}
        <Link {...link} className="sentence-link">
          Restore it first
        </Link>
        .
      </p>
    </Empty>
  </div>
);
