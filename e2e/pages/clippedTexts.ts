import type { Page } from "@playwright/test";

/** Texts that don't fit into their place: cut off, or shortened by an ellipsis. */
export const clippedTexts = (page: Page) =>
  page.evaluate(() => {
    const isCut = ({ overflowX }: CSSStyleDeclaration) =>
      overflowX === "hidden" || overflowX === "clip";
    /** The nearest element that cuts off its content, unless it can be scrolled. */
    const clipperOf = (element: Element | null): Element | null => {
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      if (style.overflowX === "auto" || style.overflowX === "scroll") return null;
      return isCut(style) ? element : clipperOf(element.parentElement);
    };
    /** Whether the text reaches beyond the place where it is shown. */
    const isClipped = (node: Node, clipper: Element) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      const place = clipper.getBoundingClientRect();
      return text.width > 0 && (text.right > place.right + 1 || text.left < place.left - 1);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const clipped: string[] = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const isShown = !node.parentElement?.closest(".unseen, script, style, option");
      const clipper = isShown ? clipperOf(node.parentElement) : null;
      // Texts for screen readers are one pixel wide.
      if (clipper && clipper.clientWidth > 1 && isClipped(node, clipper))
        clipped.push(node.textContent?.trim() ?? "");
    }
    return clipped;
  });
