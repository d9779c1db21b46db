import { t } from "@lingui/core/macro";
import "./Page.css";
import { Link, type LinkProps } from "@tanstack/react-router";
import { Fragment, type ReactNode, useEffect } from "react";
import { useCompanyName } from "#lib/page/company.ts";
import { Icon } from "../Icon.tsx";

export type To = LinkProps["to"];

/** The document title. */
export const useTitle = (title: string) => {
  const company = useCompanyName();
  useEffect(() => {
    document.title = `${title} · ${company}`;
  }, [title, company]);
};

type Crumb = { label: string } & LinkProps;

type HeadProps = {
  /** The document title; the heading may show more. */
  title: string;
  heading?: ReactNode;
  /** The parents of the page, outermost first, with the search they were left with. */
  parent?: Crumb | readonly Crumb[];
  meta?: ReactNode;
  actions?: ReactNode;
  facts?: ReactNode;
};

export const PageHead = ({ title, heading = title, parent, meta, actions, facts }: HeadProps) => {
  useTitle(title);
  return (
    <header className="page-head">
      {parent && (
        <nav className="page-crumbs" aria-label={t`Breadcrumb`}>
          {[parent].flat().map((crumb, place) => (
            <Fragment key={crumb.label}>
              {place > 0 && <Icon name="chevron-right" size={12} />}
              <Link {...crumb}>{crumb.label}</Link>
            </Fragment>
          ))}
        </nav>
      )}
      <div className="page-title-row">
        {/* Gets the focus after navigation. */}
        <h1 tabIndex={-1} data-page-heading>
          {heading}
        </h1>
        {meta && <div className="page-meta">{meta}</div>}
        <span className="spacer" />
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {facts && <div className="page-facts">{facts}</div>}
    </header>
  );
};

const lines = ["64%", "88%", "40%", "72%"];

/** Placeholder while a record loads. */
export const RecordSkeleton = () => (
  <div className="record record-skeleton" role="status" aria-label={t`Loading`}>
    <header className="page-head">
      <div className="page-title-row">
        <span className="skeleton skeleton-title" />
      </div>
    </header>
    <div className="record-columns">
      <div className="record-main">
        <div>
          {lines.map((width) => (
            <span key={width} className="skeleton" style={{ width }} />
          ))}
        </div>
      </div>
      <div className="record-rail">
        <div>
          {lines.map((width) => (
            <span key={width} className="skeleton" style={{ width }} />
          ))}
        </div>
      </div>
    </div>
  </div>
);

type SectionProps = {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  /** The target of links to this section. */
  id?: string;
  children: ReactNode;
};

export const Section = ({ title, note, actions, id, children }: SectionProps) => (
  <section id={id} tabIndex={id ? -1 : undefined}>
    <header className="section-head">
      <h2>{title}</h2>
      {note && <span className="softer">{note}</span>}
      <span className="spacer" />
      {actions}
    </header>
    {children}
  </section>
);

export const Facts = ({ of }: { of: [label: string, value: ReactNode][] }) => (
  <dl className="facts">
    {of.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
