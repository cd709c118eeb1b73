/** Text made safe inside HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
:root{--ink:#0f172a;--soft:#64748b;--line:#e2e8f0;--paper:#fff;--ground:#f4f7f7;--teal:#0f766e;--bright:#14b8a6;--bad:#b91c1c;--warn:#b45309}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:26px;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:16px;margin:0 0 12px}
p{margin:0 0 12px}
.soft{color:var(--soft)}
.card{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:20px 22px;margin:18px 0;box-shadow:0 1px 2px #0f172a0a;overflow-x:auto}
table{border-collapse:collapse;width:100%}
th{font-weight:600;color:var(--soft);font-size:12px;text-align:left;padding:4px 14px 8px 0}
time{white-space:nowrap}
td{border-top:1px solid var(--line);padding:9px 14px 9px 0;vertical-align:middle}
code,.code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
a{color:var(--teal)}
button,.button{font:inherit;font-weight:600;border:1px solid var(--line);background:var(--paper);color:var(--ink);border-radius:8px;padding:6px 14px;cursor:pointer;text-decoration:none;display:inline-block}
button:hover,.button:hover{border-color:var(--bright)}
button:focus-visible,a:focus-visible{outline:2px solid var(--bright);outline-offset:2px}
.primary{background:var(--teal);border-color:var(--teal);color:#fff}
.badge{display:inline-block;border-radius:99px;padding:1px 10px;font-size:12px;font-weight:600;background:#e2e8f0;color:#334155;white-space:nowrap}
.badge.good{background:#ccfbf1;color:#115e59}.badge.bad{background:#fee2e2;color:var(--bad)}.badge.warn{background:#fef3c7;color:var(--warn)}
.narrow{max-width:460px}
.amount{font-size:34px;font-weight:700;letter-spacing:-.02em;margin:6px 0 14px}
.row{display:flex;gap:10px;flex-wrap:wrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;margin:0}dt{color:var(--soft)}dd{margin:0}
@media (max-width:640px){
main{padding:24px 16px 48px}
table,tbody{display:block}
thead{display:none}
tr{display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;border-top:1px solid var(--line);padding:10px 0}
td{border:0;padding:0}
td:first-child{flex-basis:100%}
}
`;

/** A whole page in the emulators' style. @param body HTML, already escaped where needed. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** An amount in minor units in the usual form, such as `₹2,499.00`. Two decimals are assumed. */
export function money(amountMinor: number, currency: string): string {
  return new Intl.NumberFormat("en-IN", { style: "currency", currency }).format(amountMinor / 100);
}
