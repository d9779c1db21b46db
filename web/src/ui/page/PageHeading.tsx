import { useTitle } from "./Page.tsx";

/** The heading of a page that only says why its content isn't there. */
export const PageHeading = ({ title }: { title: string }) => {
  useTitle(title);
  return (
    <h1 tabIndex={-1} data-page-heading>
      {title}
    </h1>
  );
};
