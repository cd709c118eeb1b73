/** Copies the pages, styles and scripts that lie beside the code into the build. */
import { cpSync } from "node:fs";

for (const folder of ["http/openapi/reference", "services/certificates/verification-page", "services/public-page"]) {
  cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true });
}
