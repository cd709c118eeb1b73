import { html } from "lit-html";
import { remove } from "../api.js";
import { badge, bounded, button, card, facts, json, list, moment } from "../parts.js";

const kept = 300;
/** @type {Record<number, string>} */
const levels = { 10: "trace", 20: "debug", 30: "info", 40: "warning", 50: "error", 60: "fatal" };

/** @type {import("../main.js").Panel} */
export const requests = {
  id: "requests",
  title: "Requests",
  everyMs: 60_000,
  begin({ state, draw }) {
    /** @type {Map<string, any>} */
    const known = new Map();
    state.known = known;
    const stream = new EventSource("/requests/stream");
    stream.addEventListener("requests", (event) => {
      known.clear();
      for (const request of JSON.parse(event.data)) known.set(request.requestId, request);
      draw();
    });
    stream.addEventListener("request", (event) => {
      const request = JSON.parse(event.data);
      known.set(request.requestId, request);
      for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest);
      draw();
    });
    stream.addEventListener("error", () => draw());
    state.stream = stream;
    return () => stream.close();
  },
  load: async () => ({}),
  view(_data, tools) {
    const { state, act, draw } = tools;
    const wanted = (state.filter ?? "").toLowerCase();
    const shown = [...state.known.values()]
      .filter(({ method, path, status, requestId }) =>
        `${method} ${path} ${status} ${requestId}`.toLowerCase().includes(wanted),
      )
      .reverse();
    const search = (/** @type {any} */ event) => {
      state.filter = event.target.value;
      draw();
    };
    const forget = () => {
      state.known.clear();
      return act(() => remove("/requests"), "Forgotten");
    };
    const live = state.stream.readyState === EventSource.OPEN;
    return html`<p class="soft">Requests to the application as they come, with the lines that each one logged.
      ${live ? badge("live", "good") : badge("waiting for the server", "warn")}</p>
      ${card(
        "Requests",
        bounded(shown, "requests", tools, (first) =>
          list(
            first,
            {
              key: ({ requestId }) => requestId,
              title: ({ method, path }) => html`<strong>${method}</strong> <code>${path}</code>`,
              marks: ({ status, milliseconds, time }) =>
                html`${badge(String(status ?? "running"), tone(status))}
              <span class="soft">${milliseconds === null ? "" : `${Math.round(milliseconds)} ms`}</span> ${moment(time)}`,
              body: ({ requestId, lines }) => html`${facts({ "Request id": html`<code>${requestId}</code>` })}
            ${lines.map(
              (/** @type {any} */ { level, time, message, fields }) => html`<div>
                <p>${badge(levels[level] ?? String(level), level >= 50 ? "bad" : level >= 40 ? "warn" : "")} ${moment(time)} ${message}</p>
                ${Object.keys(fields).length > 0 ? json(fields) : ""}
              </div>`,
            )}`,
            },
            wanted ? "No request matches." : "No request yet.",
          ),
        ),
        html`<label>Search <input type="search" @input=${search} placeholder="path, status or request id"></label>
        ${button("Clear", forget)}`,
      )}`;
  },
};

/** @param {number | null} status */
const tone = (status) => (status === null ? "" : status >= 500 ? "bad" : status >= 400 ? "warn" : "good");
