import { Link, type LinkProps } from "@tanstack/react-router";
import { Empty } from "../page/Empty.tsx";
import { PageHead } from "../page/Page.tsx";
import { lifeLabels } from "../record/lifecycle.tsx";
import { Status } from "../Status.tsx";

type Props = {
  /** The entity's name with its article: "An archived app". */
  what: string;
  name: string;
  parent: { label: string } & LinkProps;
};

/** Shown instead of the form of an archived record. */
export const ArchivedPage = ({ what, name, parent: { label, ...link } }: Props) => (
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
