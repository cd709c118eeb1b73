import type { AiCall } from "../ai/call-log.js";
import type { AiEmulator } from "../ai.js";
import type { IdentityEmulator } from "../identity/identity-emulator.js";
import type { User } from "../identity/users.js";
import { escapeHtml, money, page } from "../page.js";
import type { Order } from "../payments/entities.js";
import type { PaymentsEmulator } from "../payments/payments-emulator.js";
import type { StorageEmulator } from "../storage.js";
import type { Delivery } from "../webhook-sender.js";
import { overviewScript } from "./overview-script.js";

/** What the console shows. */
export interface Overview {
  table: readonly { provider: string; kind: "real" | "emulator"; address: string }[];
  identity: IdentityEmulator | undefined;
  payments: PaymentsEmulator | undefined;
  storage: StorageEmulator | undefined;
  ai: AiEmulator | undefined;
}

const shown = 12;
const noUsers = "No user yet. Load the demo data, or create a user with POST /dev/users.";

/** The whole console: providers, users with tokens, orders, webhook deliveries, AI calls. */
export function overviewPage(overview: Overview): string {
  const { identity, payments, storage, ai } = overview;
  const body = `<main>
<h1>Emulators</h1>
<p class="soft">Emulators of the providers on this machine.
Where a provider is emulated, no money moves and nothing leaves this machine.</p>
${card("Providers", providers(overview), "")}
${identity ? card("Users", userRows(identity.users()), noUsers) : ""}
${payments ? card("Orders", orders(payments), "No order yet. Buy a course and it appears here.") : ""}
${deliveries(overview)}
${ai ? card("AI calls", aiCalls(ai.calls()), "The AI has not been asked anything yet.") : ""}
${storage ? card("Stored files", files(storage), "Nothing is stored yet.") : ""}
</main>
<script>${overviewScript}</script>`;
  return page("Emulators", body);
}

/** What a browser without scripts shows for a token. */
export function tokenPage(user: User, token: string): string {
  return page(
    "Session token",
    `<main>
<h1>Session token of ${escapeHtml(nameOf(user))}</h1>
<p class="soft">Valid for one hour. Send it as <code>Authorization: Bearer …</code></p>
<section class="card">${code(token)}</section>
<p><a href="/">Back</a></p>
</main>`,
  );
}

function card(title: string, rows: string, whenEmpty: string): string {
  const content = rows === "" ? `<p class="soft">${escapeHtml(whenEmpty)}</p>` : `<table>${rows}</table>`;
  return `<section class="card"><h2>${title}</h2>${content}</section>`;
}

function providers({ table }: Overview): string {
  const rows = table.map(({ provider, kind, address }) =>
    row(strong(provider), badge(kind, kind === "real" ? "warn" : "good"), code(address)),
  );
  return headed(["Provider", "Kind", "Address"], rows);
}

function userRows(users: readonly User[]): string {
  const tones: Record<string, string> = { admin: "warn", educator: "good" };
  const rows = users.slice(0, 100).map((user) => {
    const role = typeof user.publicMetadata.role === "string" ? user.publicMetadata.role : "student";
    return row(
      `${strong(nameOf(user))}<br><span class="soft">${escapeHtml(user.email ?? "")}</span>`,
      badge(role, tones[role] ?? ""),
      code(user.id),
      form(`/tokens/${encodeURIComponent(user.id)}`, "<button data-copy>Copy token</button>"),
    );
  });
  return headed(["User", "Role", "Id", "Sign in"], rows);
}

function orders(payments: PaymentsEmulator): string {
  const tones: Record<Order["status"], string> = { created: "", attempted: "bad", paid: "good" };
  const checkout = ({ id, status }: Order): string =>
    status === "paid" ? "" : `<a class="button" href="${escapeHtml(payments.checkoutUrl(id))}">Checkout</a>`;
  const rows = newest(payments.ledger().orders).map((order) =>
    row(
      `${escapeHtml(order.notes.courseTitle ?? order.receipt ?? "")}<br>${code(order.id, "soft")}`,
      escapeHtml(money(order.amount, order.currency)),
      badge(order.status, tones[order.status]),
      time(order.createdAt * 1000),
      checkout(order),
    ),
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
    return row(
      `${strong(delivery.type)}<br>${code(delivery.id, "soft")}`,
      badge(delivery.state, tones[delivery.state]),
      `${delivery.attempts.length}×`,
      code(answer.slice(0, 90)),
      time(delivery.createdAt),
      form(`/deliveries/${from}/${encodeURIComponent(delivery.id)}`, "<button>Send again</button>"),
    );
  });
  return card(
    "Webhook deliveries",
    headed(["Event", "State", "Attempts", "Last answer", "Made", ""], rows),
    "No event yet.",
  );
}

function aiCalls(calls: readonly AiCall[]): string {
  const tones: Record<AiCall["state"], string> = { running: "warn", answered: "good", failed: "bad", aborted: "" };
  const rows = newest(calls).map((call) =>
    row(
      escapeHtml((call.messages.at(-1)?.text ?? "").replace(/\s+/g, " ").slice(0, 110)),
      call.stream ? "stream" : "JSON",
      badge(call.state, tones[call.state]),
      escapeHtml(call.fault ?? ""),
      time(call.at),
    ),
  );
  return headed(["Newest message", "Reply", "State", "Fault", "Made"], rows);
}

function files(storage: StorageEmulator): string {
  const rows = newest(storage.assets()).map(({ url, publicId, contentType, bytes }) =>
    row(
      `<a href="${escapeHtml(url)}">${escapeHtml(publicId)}</a>`,
      escapeHtml(contentType),
      `${Math.ceil(bytes / 1024)} KiB`,
    ),
  );
  return headed(["File", "Type", "Size"], rows);
}

function headed(headings: string[], rows: string[]): string {
  if (rows.length === 0) return "";
  const cells = headings.map((heading) => `<th>${heading}</th>`).join("");
  return `<thead><tr>${cells}</tr></thead><tbody>${rows.join("\n")}</tbody>`;
}

/** @param cells HTML, already escaped where needed. */
function row(...cells: string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

const strong = (text: string): string => `<strong>${escapeHtml(text)}</strong>`;
const code = (text: string, tone = ""): string => `<code class="${tone}">${escapeHtml(text)}</code>`;
const form = (action: string, button: string): string => `<form method="post" action="${action}">${button}</form>`;

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

function nameOf({ firstName, lastName, id }: User): string {
  return [firstName, lastName].filter(Boolean).join(" ") || id;
}
