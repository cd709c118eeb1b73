/** Copies the pages, styles and scripts that lie beside the code into the build. */
import { cpSync } from "node:fs";

const folders = [
  "http/openapi/reference",
  "services/certificates/verification-page",
  "services/public-page",
  "services/mail/template",
];
for (const folder of folders) {
  cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true });
}
