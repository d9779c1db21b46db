import { t } from "@lingui/core/macro";
import {
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  type MantineColorsTuple,
} from "@mantine/core";

// All scales share the same lightness steps (OKLCH), so shade n has equal weight in every hue.
const petrol: MantineColorsTuple = [
  "#EEF9FB",
  "#DAF2F6",
  "#BBE5EC",
  "#92D0DA",
  "#61B3BF",
  "#34929F",
  "#187682",
  "#095F69",
  "#064A52",
  "#03353B",
];
const gray: MantineColorsTuple = [
  "#F9FAFA",
  "#F2F5F5",
  "#E7EAEA",
  "#D9DDDD",
  "#B6BCBC",
  "#7A8282",
  "#5C6565",
  "#464F4F",
  "#2E3837",
  "#162020",
];
const dark: MantineColorsTuple = [
  "#E2E7E8",
  "#B7C0C1",
  "#96A1A2",
  "#7B8687",
  "#3B4647",
  "#2A3435",
  "#1E2728",
  "#131A1B",
  "#0C1213",
  "#070C0C",
];
const red: MantineColorsTuple = [
  "#FFF3F2",
  "#FFE6E3",
  "#FFCEC9",
  "#FFA9A2",
  "#F67972",
  "#DE4544",
  "#B82E30",
  "#952325",
  "#741C1D",
  "#531514",
];

/**
 * The overlay layers of the specification; tooltips have theirs in `tooltip.css`. Overlays inside a
 * modal need a higher layer.
 */
const layer = { overlay: 1000, modal: 1100, inModal: 1101 };

// Closed overlays disappear at once, so that the page gets the keys back.
const quickly = { transition: "fade", duration: 90, exitDuration: 0 } as const;
const floating = { shadow: "md", radius: "md", offset: 4, transitionProps: quickly } as const;
const veil = { color: "#0B1414", backgroundOpacity: 0.34 };

/** Dropdowns of the page, and one layer higher those in modals. */
const overlays = (zIndex: number) => ({
  Popover: { defaultProps: { ...floating, zIndex } },
  Menu: { defaultProps: { ...floating, zIndex, withInitialFocusPlaceholder: false } },
  Combobox: { defaultProps: { ...floating, zIndex } },
});

export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 6 },
  // No other hues are used; statuses have their own tokens.
  colors: { ...DEFAULT_THEME.colors, petrol, gray, dark, red },
  black: gray[9],
  respectReducedMotion: true,
  cursorType: "pointer",
  fontFamily: "'IBM Plex Sans Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'IBM Plex Mono', ui-monospace, monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.5", sm: "1.5385", md: "1.4286", lg: "1.5", xl: "1.4" },
  spacing: { xs: "0.25rem", sm: "0.5rem", md: "0.75rem", lg: "1rem", xl: "1.5rem" },
  radius: { xs: "3px", sm: "5px", md: "8px", lg: "10px", xl: "999px" },
  defaultRadius: "sm",
  shadows: {
    md: "0 1px 2px rgb(22 32 32 / .06), 0 8px 20px -6px rgb(22 32 32 / .16)",
    lg: "0 2px 4px rgb(22 32 32 / .06), 0 16px 40px -10px rgb(22 32 32 / .22)",
    xl: "0 4px 8px rgb(22 32 32 / .06), 0 32px 72px -16px rgb(22 32 32 / .32)",
  },
  components: {
    ...overlays(layer.overlay),
    Overlay: { defaultProps: { zIndex: layer.overlay } },
    ModalRoot: {
      defaultProps: {
        zIndex: layer.modal,
        shadow: "xl",
        transitionProps: { transition: "fade-up", duration: 140 },
      },
    },
    ModalOverlay: { defaultProps: { ...veil, zIndex: layer.modal } },
    Drawer: { defaultProps: { zIndex: layer.modal, overlayProps: veil } },
    // The description goes below the field, the error below that.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    },
    Button: { defaultProps: { size: "sm" } },
    ActionIcon: { defaultProps: { size: 26, variant: "subtle", color: "gray" } },
    Checkbox: { defaultProps: { size: "xs", radius: "xs" } },
    Radio: { defaultProps: { size: "xs" } },
    Switch: { defaultProps: { size: "sm", withThumbIndicator: false } },
    Select: {
      defaultProps: { size: "sm", allowDeselect: false, checkIconPosition: "right" },
    },
    Textarea: { defaultProps: { size: "sm", autosize: true, minRows: 3, maxRows: 12 } },
    PasswordInput: {
      defaultProps: {
        size: "md",
        visibilityToggleButtonProps: { "aria-label": t`Show or hide password` },
      },
    },
  },
});

/** Applied inside every modal. */
export const modalTheme = createTheme({
  components: overlays(layer.inModal),
});

/** Maps Mantine's variables to our tokens (`tokens.css`). */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const shared = {
    "--mantine-color-text": "var(--p-text)",
    "--mantine-color-body": "var(--p-surface)",
    "--mantine-color-dimmed": "var(--p-text-3)",
    "--mantine-color-placeholder": "var(--p-placeholder)",
    "--mantine-color-disabled-color": "var(--p-placeholder)",
    "--mantine-color-default": "var(--p-control)",
    "--mantine-color-default-hover": "var(--p-control-hover)",
    "--mantine-color-default-color": "var(--p-text)",
    "--mantine-color-default-border": "var(--p-line-2)",
    "--mantine-color-anchor": "var(--p-accent)",
    "--mantine-color-error": "var(--p-error)",
  };
  return { variables: {}, light: shared, dark: shared };
};
