import type { AiCall } from "../ai/call-log.js";
import type { AiSandbox } from "../ai.js";
import type { IdentitySandbox } from "../identity/identity-sandbox.js";
import type { Person } from "../identity/people.js";
import { escapeHtml, money, page } from "../page.js";
import type { Order } from "../payments/entities.js";
import type { PaymentsSandbox } from "../payments/payments-sandbox.js";
import type { StorageSandbox } from "../storage.js";
import type { Delivery } from "../webhook-sender.js";
import { overviewScript } from "./overview-script.js";

/** What the console shows. */
export interface Overview {
  table: readonly { collaborator: string; kind: "real" | "stand-in"; address: string }[];
  identity: IdentitySandbox | undefined;
  payments: PaymentsSandbox | undefined;
  storage: StorageSandbox | undefined;
  ai: AiSandbox | undefined;
}

const shown = 12;

/** The whole console: collaborators, people with tokens, orders, webhook deliveries, AI calls. */
export function overviewPage(overview: Overview): string {
  const { identity, payments, storage, ai } = overview;
  const body = `<main>
<h1>Sandbox</h1>
<p class="soft">Local servers that stand in for the collaborators. Where one stands in, no money moves and nothing leaves this machine.</p>
${card("Collaborators", collaborators(overview), "")}
${identity ? card("People", people(identity.users()), "Nobody yet. Load the demo data, or create somebody with POST /dev/users.") : ""}
${payments ? card("Orders", orders(payments), "No order yet. Buy a course and it appears here.") : ""}
${deliveries(overview)}
${ai ? card("AI calls", aiCalls(ai.calls()), "The AI has not been asked anything yet.") : ""}
${storage ? card("Stored files", files(storage), "Nothing is stored yet.") : ""}
</main>
<script>${overviewScript}</script>`;
  return page("Sandbox", body);
}

/** What a browser without scripts shows for a token. */
export function tokenPage(person: Person, token: string): string {
  return page(
    "Session token",
    `<main><h1>Session token of ${escapeHtml(nameOf(person))}</h1><p class="soft">Valid for one hour. Send it as <code>Authorization: Bearer …</code></p><section class="card"><code>${escapeHtml(token)}</code></section><p><a href="/">Back</a></p></main>`,
  );
}

function card(title: string, rows: string, whenEmpty: string): string {
  const content = rows === "" ? `<p class="soft">${escapeHtml(whenEmpty)}</p>` : `<table>${rows}</table>`;
  return `<section class="card"><h2>${title}</h2>${content}</section>`;
}

function collaborators({ table }: Overview): string {
  const rows = table.map(
    ({ collaborator, kind, address }) =>
      `<tr><td><strong>${escapeHtml(collaborator)}</strong></td><td>${badge(kind, kind === "real" ? "warn" : "good")}</td><td><code>${escapeHtml(address)}</code></td></tr>`,
  );
  return headed(["Collaborator", "Played by", "Address"], rows);
}

function people(users: readonly Person[]): string {
  const rows = users.slice(0, 100).map((person) => {
    const role = person.publicMetadata.role;
    return `<tr><td><strong>${escapeHtml(nameOf(person))}</strong><br><span class="soft">${escapeHtml(person.email ?? "")}</span></td>
<td>${badge(typeof role === "string" ? role : "student", role === "admin" ? "warn" : role === "educator" ? "good" : "")}</td>
<td><code>${escapeHtml(person.id)}</code></td>
<td><form method="post" action="/tokens/${encodeURIComponent(person.id)}"><button data-copy>Copy token</button></form></td></tr>`;
  });
  return headed(["Person", "Role", "Id", "Sign in"], rows);
}

function orders(payments: PaymentsSandbox): string {
  const tones: Record<Order["status"], string> = { created: "", attempted: "bad", paid: "good" };
  const rows = newest(payments.ledger().orders).map(
    (
      order,
    ) => `<tr><td>${escapeHtml(order.notes.courseTitle ?? order.receipt ?? "")}<br><code class="soft">${escapeHtml(order.id)}</code></td>
<td>${escapeHtml(money(order.amount, order.currency))}</td><td>${badge(order.status, tones[order.status])}</td><td>${time(order.createdAt * 1000)}</td>
<td>${order.status === "paid" ? "" : `<a class="button" href="${escapeHtml(payments.checkoutUrl(order.id))}">Checkout</a>`}</td></tr>`,
  );
  return headed(["Order", "Amount", "State", "Made", ""], rows);
}

function deliveries({ identity, payments }: Overview): string {
  if (!identity && !payments) return "";
  const tones: Record<Delivery["state"], string> = {
    waiting: "warn",
    delivered: "good",
    refused: "bad",
    exhausted: "bad",
    withheld: "",
  };
  const all = [
    ...(identity?.deliveries() ?? []).map((delivery) => ({ from: "identity", delivery })),
    ...(payments?.deliveries() ?? []).map((delivery) => ({ from: "payments", delivery })),
  ].sort((left, right) => left.delivery.createdAt - right.delivery.createdAt);
  const rows = newest(all).map(({ from, delivery }) => {
    const last = delivery.attempts.at(-1);
    const answer = last ? `${last.status ?? "no answer"} ${last.answer}` : "not sent yet";
    return `<tr><td><strong>${escapeHtml(delivery.type)}</strong><br><code class="soft">${escapeHtml(delivery.id)}</code></td>
<td>${badge(delivery.state, tones[delivery.state])}</td><td>${delivery.attempts.length}×</td><td><code>${escapeHtml(answer.slice(0, 90))}</code></td><td>${time(delivery.createdAt)}</td>
<td><form method="post" action="/deliveries/${from}/${encodeURIComponent(delivery.id)}"><button>Send again</button></form></td></tr>`;
  });
  return card(
    "Webhook deliveries",
    headed(["Event", "State", "Attempts", "Last answer", "Made", ""], rows),
    "No event yet.",
  );
}

function aiCalls(calls: readonly AiCall[]): string {
  const tones: Record<AiCall["state"], string> = { running: "warn", answered: "good", failed: "bad", aborted: "" };
  const rows = newest(calls).map(
    (call) => `<tr><td>${escapeHtml((call.messages.at(-1)?.text ?? "").replace(/\s+/g, " ").slice(0, 110))}</td>
<td>${call.stream ? "stream" : "JSON"}</td><td>${badge(call.state, tones[call.state])}</td><td>${escapeHtml(call.fault ?? "")}</td><td>${time(call.at)}</td></tr>`,
  );
  return headed(["Newest message", "Reply", "State", "Fault", "Made"], rows);
}

function files(storage: StorageSandbox): string {
  const rows = newest(storage.assets()).map(
    (asset) =>
      `<tr><td><a href="${escapeHtml(asset.url)}">${escapeHtml(asset.publicId)}</a></td><td>${escapeHtml(asset.contentType)}</td><td>${Math.ceil(asset.bytes / 1024)} KiB</td></tr>`,
  );
  return headed(["File", "Type", "Size"], rows);
}

function headed(headings: string[], rows: string[]): string {
  if (rows.length === 0) return "";
  return `<thead><tr>${headings.map((heading) => `<th>${heading}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody>`;
}

function newest<Item>(items: readonly Item[]): Item[] {
  return items.slice(-shown).reverse();
}

function badge(text: string, tone: string): string {
  return `<span class="badge ${tone}">${escapeHtml(text)}</span>`;
}

function time(milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString();
  return `<time class="soft" datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}

function nameOf({ firstName, lastName, id }: Person): string {
  return [firstName, lastName].filter(Boolean).join(" ") || id;
}
