/** For `ref`: focuses the element when it is mounted. */
export const focusFirst = (element: HTMLElement | null) => {
  element?.focus();
};
