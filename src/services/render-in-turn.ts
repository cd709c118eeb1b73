import { createTurns } from "../lib/turns.js";

/** Drawing a PDF occupies the processor, so few PDFs are drawn at once, and those of one user one after another. */
export const renderInTurn = createTurns({ atOnce: 2 });
