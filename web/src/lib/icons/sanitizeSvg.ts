const elements = new Set(
  "circle clipPath defs ellipse g line linearGradient mask path pattern polygon polyline radialGradient rect stop use".split(
    " ",
  ),
);

const attributes = new Set(
  (
    "clip-path clip-rule clipPathUnits color cx cy d fill fill-opacity fill-rule fr fx fy gradientTransform " +
    "gradientUnits height href id mask maskContentUnits maskUnits offset opacity paint-order pathLength " +
    "patternContentUnits patternTransform patternUnits points preserveAspectRatio r rx ry spreadMethod " +
    "stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin " +
    "stroke-miterlimit stroke-opacity stroke-width transform vector-effect viewBox width x x1 x2 y y1 y2"
  ).split(" "),
);

const harmlessCall = /\b(?:hsla?|matrix|rgba?|rotate|scale|skew[XY]|translate)\(|url\(#/g;

/**
 * Only references within the icon are allowed. The prefix keeps its ids apart from the page's ids.
 */
const writtenValue = ({ localName, value }: Attr, mark: string) => {
  if (localName === "id") return mark + value;
  if (localName === "href") return value.startsWith("#") ? `#${mark}${value.slice(1)}` : null;
  const own = value.replace(/url\(#([^)]+)\)/g, `url(#${mark}$1)`);
  // Any other function may load something, and a backslash could hide one.
  return /[\\(]/.test(own.replace(harmlessCall, "")) ? null : own;
};

const escaped = (value: string) => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const writeAttribute = (attribute: Attr, mark: string) => {
  const value = attributes.has(attribute.localName) ? writtenValue(attribute, mark) : null;
  return value === null ? "" : ` ${attribute.localName}="${escaped(value)}"`;
};

const write = (element: Element, mark: string): string => {
  const { localName } = element;
  if (!elements.has(localName)) return "";
  const given = [...element.attributes].map((attribute) => writeAttribute(attribute, mark));
  return `<${localName}${given.join("")}>${writeAll(element, mark)}</${localName}>`;
};

const writeAll = (parent: Element, mark: string) =>
  [...parent.children].map((child) => write(child, mark)).join("");

/**
 * Rebuilds foreign SVG from an allowlist of elements and attributes: no scripts, handlers, styles,
 * animations, links or text. Null if it can't be parsed.
 */
export const sanitizeSvg = (body: string, mark: string) => {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${body}</svg>`;
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml");
  return drawn.querySelector("parsererror") ? null : writeAll(drawn.documentElement, mark);
};
