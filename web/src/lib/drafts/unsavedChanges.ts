let forms = 0;
let leaving = false;

export const hasUnsavedChanges = () => forms > 0;

export const markUnsaved = () => {
  forms += 1;
  return () => {
    forms -= 1;
  };
};

/** Whether the user already confirmed leaving, so the browser must not ask again. */
export const isLeaving = () => leaving;

export const markLeaving = () => {
  leaving = true;
};

/** The page wasn't left after all and shows another form. */
export const markStaying = () => {
  leaving = false;
};
