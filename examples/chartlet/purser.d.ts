// Written by: purser types --app chartlet
import "@purser/client";

declare module "@purser/client" {
  interface Register {
    features: {
      /** Brand color */
      "brand-color": boolean;
      /** Exports */
      "exports": number | "unlimited";
    };
  }
}
