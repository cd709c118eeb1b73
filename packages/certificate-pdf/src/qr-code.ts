import QRCode from "qrcode";

/**
 * A QR code as the dark stretches of its rows, in modules. It includes the margin of four light modules that scanners
 * need.
 */
export interface QrCode {
  /** Modules along one side, with the light margin. */
  readonly size: number;
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number }[];
}

const QUIET_ZONE_MODULES = 4;

/** Encodes `content` at error level M. @returns null when `content` is empty or too long for a QR code. */
export function qrCode(content: string): QrCode | null {
  const modules = createModules(content);
  if (!modules) return null;
  const bars: QrCode["bars"][number][] = [];
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      const start = column;
      while (column < modules.size && modules.get(row, column)) column++;
      if (column > start)
        bars.push({ x: start + QUIET_ZONE_MODULES, y: row + QUIET_ZONE_MODULES, width: column - start });
    }
  }
  return { size: modules.size + 2 * QUIET_ZONE_MODULES, bars };
}

function createModules(content: string) {
  try {
    return QRCode.create(content, { errorCorrectionLevel: "M" }).modules;
  } catch {
    return null;
  }
}
