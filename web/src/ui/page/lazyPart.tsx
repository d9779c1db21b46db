import { type ComponentType, lazy } from "react";
import { loadChunk } from "#lib/page/chunks.ts";
import { attempt } from "../popups/toast.ts";

const againMs = 1000;
const Nothing = () => null;

const showFailure = (error: unknown) =>
  void attempt(() => {
    throw error;
  });

/**
 * A part of a screen that loads when first shown. If loading fails, a message is shown, the screen
 * keeps its state, and showing it again retries.
 */
export const part = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  onFailure = showFailure,
) => {
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
