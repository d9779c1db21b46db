import { type ComponentType, lazy } from "react";
import { loadChunk } from "#lib/page/chunks.ts";
import { attempt } from "../popups/toast.ts";

const againMs = 1000;
const Nothing = () => null;

const tell = (error: unknown) =>
  void attempt(() => {
    throw error;
  });

/**
 * A part of a screen that is loaded when it is first shown. If that fails it is said, the screen and what
 * was typed into it stay, and showing it again tries again.
 */
export const part = <P extends object>(load: () => Promise<ComponentType<P>>, onFailure = tell) => {
  let Loading: ComponentType<P> | null = null;
  const start = () =>
    lazy(async () => {
      try {
        return { default: await loadChunk(load) };
      } catch (error) {
        onFailure(error);
        setTimeout(() => {
          Loading = null;
        }, againMs);
        return { default: Nothing as ComponentType<P> };
      }
    }) as ComponentType<P>;
  return (props: P) => {
    Loading ??= start();
    return <Loading {...props} />;
  };
};
