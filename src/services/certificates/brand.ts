/** What the printed certificate and its verification page share: name, colours and mark. */
export const PLATFORM_NAME = "Lyceum";

export const PALETTE = {
  /** Frame, headings, seal. */
  teal: "#0f766e",
  /** Rules and the dashed panel. */
  tealBright: "#14b8a6",
  /** Accents. */
  tealLight: "#2dd4bf",
  /** Ground of the panel. */
  tealMist: "#f2fbf9",
  /** The watermark. */
  tint: "#e2f4f0",
  /** The learner's name. */
  ink: "#10312e",
  /** Everything that is read after it. */
  slate: "#46605d",
  white: "#ffffff",
} as const;

/** A portico on an open book, drawn in a square of 32 units as SVG path data. */
export const MARK = {
  size: 32,
  path: [
    "M16 2.2 L29.4 9.6 V11.6 H2.6 V9.6 Z",
    "M5.6 13.2 H9 V21.6 H5.6 Z M14.3 13.2 H17.7 V21.6 H14.3 Z M23 13.2 H26.4 V21.6 H23 Z",
    "M2.6 23.6 C7.6 22.2 12.8 22.8 16 25.4 C19.2 22.8 24.4 22.2 29.4 23.6 V27.4 C24.4 26 19.2 26.6 16 29.4 C12.8 26.6 7.6 26 2.6 27.4 Z",
  ].join(" "),
} as const;
