import "./Diff.css";

/** Before is null where nothing was there to change. */
export type FieldChange = { field: string; before: string | null; after: string };

/** Fields with what they were and what they are; signs say it too, not the colours alone. */
export const Diff = ({ changes }: { changes: FieldChange[] }) => (
  <table className="diff">
    <thead className="unseen">
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
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
