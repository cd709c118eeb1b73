import type { PurchaseState } from "../../models/payments/purchase.js";

/** A move between states. `from` is empty for a new purchase. */
interface Move {
  readonly from: readonly PurchaseState[];
  readonly to: PurchaseState;
  /** The trigger, as docs/purchase-states.md shows it. */
  readonly on: string;
}

/** Every move of a purchase. No other move exists. */
export const purchaseMoves = {
  open: { from: [], to: "created", on: "checkout opened" },
  openFree: { from: [], to: "completed", on: "free course taken" },
  placeOrder: { from: ["created"], to: "pending", on: "order exists at the provider" },
  fail: { from: ["created", "pending"], to: "failed", on: "payment.failed, superseded or expired" },
  complete: {
    from: ["created", "pending", "failed"],
    to: "completed",
    on: "payment captured or checkout signature valid",
  },
  refund: { from: ["completed"], to: "refunded", on: "paid back in full or dispute lost" },
  takeOver: { from: ["completed", "refunded"], to: "completed", on: "another payment replaces a refunded one" },
  undo: { from: ["completed"], to: "failed", on: "signed payment not captured, or another one" },
} as const satisfies Record<string, Move>;

type MoveName = keyof typeof purchaseMoves;

/** The filter of a conditional update: the states that the move may leave. */
export const statesAllowing = (name: MoveName): { status: { $in: PurchaseState[] } } => ({
  status: { $in: [...purchaseMoves[name].from] },
});

/** The state after a move, for the update itself. */
export const stateAfter = <N extends MoveName>(name: N): { status: (typeof purchaseMoves)[N]["to"] } => ({
  status: purchaseMoves[name].to,
});

/** Whether a purchase in this state can make the move. */
export const canMove = (name: MoveName, state: PurchaseState): boolean =>
  purchaseMoves[name].from.some((from) => from === state);

/** Writes the table as a Mermaid diagram. */
export function stateDiagram(): string {
  const lines = Object.values<Move>(purchaseMoves).flatMap(({ from, to, on }) =>
    (from.length === 0 ? ["[*]"] : from).map((state) => `    ${state} --> ${to}: ${on}`),
  );
  return ["stateDiagram-v2", ...lines].join("\n");
}
