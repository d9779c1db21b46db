const fieldOf = (path: string) => path.split(".")[0] ?? "";

/** Where an error is shown: at the part if it has its own input, otherwise at the field. */
export const shownAt = (path: string, parted: readonly string[]) =>
  parted.includes(fieldOf(path)) ? path : fieldOf(path);

export const errorsShownAt = <E>(errors: Record<string, E>, parted: readonly string[]) => {
  const shown: Record<string, E> = {};
  for (const [path, error] of Object.entries(errors)) shown[shownAt(path, parted)] ??= error;
  return shown;
};

/** Error paths in the order of the form's fields. */
export const inOrder = (fields: string[], errors: Record<string, unknown>) => {
  const placeOf = (path: string) => fields.indexOf(fieldOf(path));
  return Object.keys(errors)
    .filter((path) => errors[path] && placeOf(path) >= 0)
    .sort((one, other) => placeOf(one) - placeOf(other));
};
