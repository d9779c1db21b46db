let forms = 0;
let leaving = false;

/** Whether something was typed that is not saved yet. */
export const isDirty = () => forms > 0;

export const markDirty = () => {
  forms += 1;
  return () => {
    forms -= 1;
  };
};

/** Whether this page is being left for good: whoever decided that is not asked by the browser again. */
export const isLeaving = () => leaving;

export const markLeaving = () => {
  leaving = true;
};

/** The page stayed after all, and shows another form. */
export const markStaying = () => {
  leaving = false;
};
