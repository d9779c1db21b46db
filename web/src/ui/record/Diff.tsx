import { t } from "@lingui/core/macro";
import "./Diff.css";

/** `before` is null if the field is new. */
export type FieldChange = { field: string; before: string | null; after: string };

/** Old and new values per field, marked by signs in addition to colors. */
export const Diff = ({ changes }: { changes: FieldChange[] }) => (
  <table className="diff">
    <thead className="unseen">
      <tr>
        <th scope="col">{t`Field`}</th>
        <th scope="col">{t`Before`}</th>
        <th scope="col">{t`After`}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map(({ field, before, after }) => (
        <tr key={field}>
          <th scope="row">{field}</th>
          {before !== null && (
            <td className="diff-before">
              <span aria-hidden="true">−</span>
              {before}
            </td>
          )}
          <td className="diff-after">
            <span aria-hidden="true">+</span>
            {after}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
