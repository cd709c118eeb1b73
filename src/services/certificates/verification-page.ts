import { createHash } from "node:crypto";
import type { Brand } from "@lyceum/certificate-pdf/brand";
import { longDate } from "@lyceum/certificate-pdf/long-date";
import { escapeHtml } from "../../lib/escape-html.js";

/** What the public may see of an issued certificate. */
export interface VerifiedCertificate {
  certificateId: string;
  studentName: string;
  courseTitle: string;
  completionDate: Date;
  issuedAt: Date;
}

/**
 * The page on which a certificate is verified in a browser: the record, "not found" for null, or "fault".
 * A whole HTML document without scripts or outside resources; every value is escaped.
 */
export function verificationPage(result: VerifiedCertificate | null | "fault", brand: Brand): string {
  if (result === "fault") return page("Verification unavailable", FAULT, brand);
  if (result === null) return page("Certificate not found", notFound(brand), brand);
  return page("Certificate verified", verified(result, brand), brand);
}

function verified(certificate: VerifiedCertificate, { name }: Brand): string {
  return `${verdict("valid", "M7 12.5 10.5 16 17 8.5", "Valid certificate")}
<p class="lead">${escapeHtml(name)} issued this certificate. The copy in your hands is genuine if it shows these details.</p>
<h1 dir="auto">${escapeHtml(certificate.studentName)}</h1>
<p class="phrase">completed the course</p>
<p class="course" dir="auto">${escapeHtml(certificate.courseTitle)}</p>
<dl>
<div><dt>Completed on</dt><dd>${day(certificate.completionDate)}</dd></div>
<div><dt>Issued on</dt><dd>${day(certificate.issuedAt)}</dd></div>
<div class="wide"><dt>Certificate ID</dt><dd class="id">${escapeHtml(certificate.certificateId)}</dd></div>
</dl>
<p class="note">Dates are in UTC. This record does not change once a certificate is issued.</p>`;
}

const notFound = ({
  name,
}: Brand): string => `${verdict("missing", "M8.5 8.5 15.5 15.5 M15.5 8.5 8.5 15.5", "Not verified")}
<h1>Certificate not found</h1>
<p class="lead">${escapeHtml(name)} has no issued certificate at this address.</p>
<ul>
<li>Compare the address with the one printed on the certificate, character by character.</li>
<li>Scan the code on the certificate again, or ask its holder for the original file.</li>
</ul>`;

const FAULT = `${verdict("fault", "M12 7.5 V13 M12 16.2 V16.4", "No answer")}
<h1>The certificate could not be checked</h1>
<p class="lead">Something went wrong on our side. This says nothing about the certificate.</p>
<ul>
<li>Please open the address again in a few minutes.</li>
</ul>`;

function verdict(kind: "valid" | "missing" | "fault", icon: string, words: string): string {
  return `<p class="verdict ${kind}">
<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="${icon}"/></svg>
${words}</p>`;
}

function day(date: Date): string {
  return `<time datetime="${date.toISOString()}">${longDate(date)}</time>`;
}

function page(title: string, content: string, { name, mark, palette }: Brand): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(name)}</title>
<style>${styleOf(palette)}</style>
</head>
<body>
<main>
<header>
<svg viewBox="0 0 ${mark.size} ${mark.size}" width="30" height="30" aria-hidden="true"><path d="${mark.path}"/></svg>
<span>${escapeHtml(name)}</span>
<span class="kind">Certificate verification</span>
</header>
<section>
${content}
</section>
</main>
</body>
</html>
`;
}

/** Print stays light, because the dark colours are for screens only. */
const styleOf = (palette: Brand["palette"]): string => `
:root{color-scheme:light;--page:${palette.mist};--paper:${palette.white};--band:${palette.mist};--line:${palette.tint};
--ink:${palette.ink};--soft:${palette.slate};--accent:${palette.main};
--valid:${palette.tint};--bad:#b3261e;--bad-ground:#fdeaea;--warn:#8a5a00;--warn-ground:#fdf1dc}
@media screen and (prefers-color-scheme:dark){
:root{color-scheme:dark;--page:#0f1313;--paper:#181e1e;--band:#141919;--line:#2c3535;
--ink:#e8eeee;--soft:#abb8b8;--accent:color-mix(in srgb,${palette.light} 75%,white);
--valid:color-mix(in srgb,${palette.light} 16%,#181e1e);--bad:#ffb4ab;--bad-ground:#47201d;--warn:#f5cf83;--warn-ground:#3f3010}
}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{width:100%;max-width:620px;background:var(--paper);border-radius:14px;overflow:hidden;
border-top:6px solid ${palette.main};box-shadow:0 1px 2px rgba(0,0,0,.08),0 16px 40px rgba(0,0,0,.10)}
header{display:flex;align-items:center;gap:10px;padding:20px 32px;border-bottom:1px solid var(--line);
font:500 22px/1 "EB Garamond",Garamond,Georgia,"Noto Serif",serif}
header svg{flex:none;fill:var(--accent)}
.kind{margin-left:auto;font:13px/1.3 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;color:var(--soft);text-align:right}
section{padding:30px 32px 32px}
.verdict{display:inline-flex;align-items:center;gap:8px;padding:5px 14px 5px 6px;border-radius:99px;font-weight:600}
.verdict svg{fill:currentColor}
.verdict path{fill:none;stroke:var(--paper);stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
.valid{background:var(--valid);color:var(--accent)}
.missing{background:var(--bad-ground);color:var(--bad)}
.fault{background:var(--warn-ground);color:var(--warn)}
.lead{margin-top:14px;color:var(--soft)}
h1,.course{font-family:"EB Garamond",Garamond,Georgia,"Noto Serif",serif;font-weight:500;overflow-wrap:anywhere;text-align:left}
h1{margin-top:22px;font-size:clamp(28px,6.4vw,38px);line-height:1.18}
.phrase{margin-top:6px;color:var(--soft);font-style:italic}
.course{margin-top:4px;font-size:clamp(20px,4.4vw,25px);line-height:1.28;color:var(--accent)}
dl{display:grid;grid-template-columns:1fr 1fr;gap:18px 24px;margin-top:26px;padding-top:22px;border-top:1px dashed ${palette.bright}}
.wide{grid-column:1/-1}
dt{font-size:13px;color:var(--soft)}
dd{font-weight:600}
.id{font:500 14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
ul{margin-top:16px;padding-left:20px;color:var(--soft)}
li+li{margin-top:6px}
.note{margin:28px -32px -32px;padding:14px 32px;background:var(--band);border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
@media (max-width:460px){.note{margin-left:-20px;margin-right:-20px}header,section,.note{padding-left:20px;padding-right:20px}dl{grid-template-columns:1fr}}
`;

/** For a Content-Security-Policy: `style-src '…'` with this source allows the style of the page, and nothing else. */
export const verificationPageStyleHash = ({ palette }: Brand): string =>
  `sha256-${createHash("sha256").update(styleOf(palette)).digest("base64")}`;
