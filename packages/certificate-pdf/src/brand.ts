/** A logo as SVG path data, drawn in a square of `size` units. */
export interface Mark {
  readonly path: string;
  readonly size: number;
}

/** Name, colours and logo of a platform. */
export interface Brand {
  readonly name: string;
  readonly palette: Palette;
  readonly mark: Mark;
}

type Palette = typeof teal;

const teal = {
  /** Colour of the frame, the headings and the seal. */
  main: "#0f766e",
  /** Colour of the rules and the dashed panel. */
  bright: "#14b8a6",
  /** Colour of accents. */
  light: "#2dd4bf",
  /** Background of the panel. */
  mist: "#f2fbf9",
  /** Colour of the watermark. */
  tint: "#e2f4f0",
  /** Colour of the learner's name. */
  ink: "#10312e",
  /** Colour of the other text. */
  slate: "#46605d",
  white: "#ffffff",
};

/** The default logo shows a portico on an open book. */
const portico: Mark = {
  size: 32,
  path: [
    "M16 2.2 L29.4 9.6 V11.6 H2.6 V9.6 Z",
    "M5.6 13.2 H9 V21.6 H5.6 Z M14.3 13.2 H17.7 V21.6 H14.3 Z M23 13.2 H26.4 V21.6 H23 Z",
    "M2.6 23.6 C7.6 22.2 12.8 22.8 16 25.4 C19.2 22.8 24.4 22.2 29.4 23.6 V27.4 C24.4 26 19.2 26.6 16 29.4 C12.8 26.6 7.6 26 2.6 27.4 Z",
  ].join(" "),
};

/**
 * Derives a palette from one colour. Without a logo, the mark is a portico.
 * @param options.color such as `#0f766e`
 */
export function createBrand({
  name,
  color,
  logo = portico,
}: {
  readonly name: string;
  readonly color: string;
  readonly logo?: Mark | undefined;
}): Brand {
  const palette = color.toLowerCase() === teal.main ? teal : paletteOf(color);
  return { name, palette, mark: logo };
}

function paletteOf(color: string): Palette {
  return {
    main: color,
    bright: mix(color, "#ffffff", 0.3),
    light: mix(color, "#ffffff", 0.5),
    mist: mix(color, "#ffffff", 0.95),
    tint: mix(color, "#ffffff", 0.88),
    ink: mix(color, "#000000", 0.6),
    slate: mix(mix(color, "#808080", 0.6), "#000000", 0.3),
    white: "#ffffff",
  };
}

/** Mixes two colours. @param share share of the second colour, from 0 to 1 */
function mix(first: string, second: string, share: number): string {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(first, at) * (1 - share) + channel(second, at) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
