import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { purchaseStates } from "../../../src/models/payments/purchase.js";
import {
  canMove,
  purchaseMoves,
  stateAfter,
  stateDiagram,
  statesAllowing,
} from "../../../src/services/payments/purchase-states.js";

test("docs/purchase-states.md shows the moves of the code", async () => {
  const page = await readFile("docs/purchase-states.md", "utf8");
  expect(/```mermaid\n([\s\S]*?)\n```/.exec(page)?.[1]).toBe(stateDiagram());
});

test("every state is reached, and money alone leads back from a paid one", () => {
  const moves = Object.values(purchaseMoves);
  expect(new Set(moves.map(({ to }) => to))).toEqual(new Set(purchaseStates));
  expect(purchaseStates.filter((state) => canMove("complete", state))).toEqual(["created", "pending", "failed"]);
  expect(purchaseStates.filter((state) => canMove("refund", state))).toEqual(["completed"]);
  const leading = (from: string) =>
    Object.entries(purchaseMoves).filter(([, move]) => move.from.some((one) => one === from));
  expect(leading("refunded").map(([name]) => name)).toEqual(["takeOver"]);
  expect(leading("completed").map(([name]) => name)).toEqual(["refund", "takeOver", "undo"]);
});

test("an update names the states that its move leaves, and the one it ends in", () => {
  expect(statesAllowing("complete")).toEqual({ status: { $in: ["created", "pending", "failed"] } });
  expect(stateAfter("complete")).toEqual({ status: "completed" });
  expect(statesAllowing("refund")).toEqual({ status: { $in: ["completed"] } });
  expect(stateAfter("fail")).toEqual({ status: "failed" });
});
