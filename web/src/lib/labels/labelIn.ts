/** Shows a stored value with its label. Values without a label are shown as they are. */
export const labelIn = (labels: Record<string, string>) => (value: unknown) =>
  labels[String(value)] ?? String(value);
