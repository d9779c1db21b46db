import { Suspense, useEffect, useState } from "react";
import { part } from "../page/lazyPart.tsx";
import { onFirstToast } from "./toast.ts";

export const loadToaster = () => import("./Toaster.tsx");
const Toaster = part(async () => (await loadToaster()).Toaster);

/** The container of toasts, empty until the first one. */
export const Toasts = () => {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => onFirstToast(() => setWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
};
