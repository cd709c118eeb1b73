import { html } from "lit-html";
import { get, remove } from "../api.js";
import { faultCard } from "../faults.js";
import { badge, button, card, facts, list, moment } from "../parts.js";

/** @type {Record<string, string>} */
const tones = { running: "warn", answered: "good", failed: "bad" };
const shown = 60;

/** @type {import("../main.js").Panel} */
export const ai = {
  id: "ai",
  title: "AI",
  needs: ["ai"],
  async load() {
    const [{ calls }, faults] = await Promise.all([get("/ai/dev/calls"), get("/ai/dev/faults")]);
    return { calls: calls.slice(-shown).reverse(), ...faults };
  },
  view({ calls, faults }, tools) {
    const { act } = tools;
    return html`<p class="soft">Calls to the AI provider. The emulator has no model: it builds repeatable answers from the prompt.</p>
      ${faultCard("ai", faults, tools)}
      ${card(
        "Calls",
        list(
          calls,
          {
            key: ({ at, prompt }) => `${at} ${prompt.length}`,
            title: ({ messages }) => (messages.at(-1)?.text ?? "").replace(/\s+/g, " ").slice(0, 120),
            marks: ({ at, state, fault, stream }) =>
              html`${fault ? badge(fault, "warn") : ""} ${badge(stream ? "stream" : "JSON")} ${badge(state, tones[state])} ${moment(at)}`,
            body: ({ at, endedAt, model, messages }) => html`${facts({
              Model: model,
              Took: endedAt === null ? "still running" : `${endedAt - at} ms`,
            })}
            ${messages.map(
              (/** @type {any} */ { role, text }) => html`<h3>${role}</h3><pre tabindex="0">${text}</pre>`,
            )}`,
          },
          "No call yet.",
        ),
        calls.length > 0 ? button("Clear the calls", () => act(() => remove("/ai/dev/calls"), "Cleared")) : "",
      )}`;
  },
};
