/// <reference types="pdfkit" preserve="true" />
// The types of a sheet are those of pdfkit, which are global.
export { drawMark, drawWatermark } from "./artwork.js";
export { type Brand, createBrand, type Mark } from "./brand.js";
export { longDate } from "./long-date.js";
export {
  type CertificateDesign,
  type CertificateFacts,
  renderCertificate,
  type Signatory,
} from "./render-certificate.js";
export { createSheet, type Sheet } from "./sheet.js";
export { SANS, SERIF, type TypefaceChain } from "./typefaces.js";
