/** As a `ref`: whoever comes to this step starts here. */
export const focusFirst = (element: HTMLElement | null) => {
  element?.focus();
};
