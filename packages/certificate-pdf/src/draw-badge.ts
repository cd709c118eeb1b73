import type { Brand } from "./brand.js";
import { outlineText } from "./outline-text.js";
import { SERIF } from "./typefaces.js";

/** Side of the picture. */
export const BADGE_SIZE = 600;
const CENTER = BADGE_SIZE / 2;
const MARK = { top: 78, size: 108 };
const TITLE = { width: 410, height: 190, maxLines: 6, maxSize: 52, minSize: 18, leading: 1.22 };
const TITLE_CENTER = 320;
const NAME = { width: 250, height: 40, maxLines: 1, maxSize: 26, minSize: 9, leading: 1.2 };

/** Draws the badge of a course as SVG: a seal with the platform's mark, the title of the course and the platform's name. */
export function drawBadge(courseTitle: string, { name, palette, mark }: Brand): string {
  const title = outlineText(courseTitle, SERIF, TITLE, "The course on record");
  const platform = outlineText(name, SERIF, NAME, "Platform");
  const baseline = TITLE_CENTER - ((title.lines - 1) * title.size * TITLE.leading) / 2 + title.size * 0.3;
  const left = CENTER - MARK.size / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${BADGE_SIZE}" height="${BADGE_SIZE}">`,
    `<path d="${scallops(36, 286, 10)}" fill="${palette.main}"/>`,
    `<circle cx="${CENTER}" cy="${CENTER}" r="258" fill="none" stroke="${palette.light}" stroke-width="3"/>`,
    `<path transform="translate(${left} ${MARK.top}) scale(${MARK.size / mark.size})" fill="${palette.white}" d="${mark.path}"/>`,
    `<path d="M220 206H380M220 434H380" stroke="${palette.light}" stroke-width="2"/>`,
    `<g fill="${palette.white}" transform="translate(${CENTER} ${baseline.toFixed(2)})">${title.svg}</g>`,
    `<g fill="${palette.white}" transform="translate(${CENTER} 478)">${platform.svg}</g>`,
    "</svg>",
  ].join("");
}

/** The outline of a seal: a circle with waves. */
function scallops(waves: number, radius: number, swing: number): string {
  const points = Array.from({ length: waves * 16 }, (_, index) => {
    const angle = (index / (waves * 16)) * 2 * Math.PI;
    const at = radius + swing * Math.cos(waves * angle);
    return `${(CENTER + at * Math.cos(angle)).toFixed(1)} ${(CENTER + at * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}
