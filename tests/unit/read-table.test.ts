import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readTable } from "../../src/services/grants/imports/read-table.js";

/** The rows of a table that arrives byte by byte. */
async function rowsOf(text: string) {
  const bytes = Readable.from([...Buffer.from(text)].map((byte) => Buffer.from([byte])));
  const rows = [];
  for await (const { row, cells } of readTable(bytes, { columns: ["a", "b"], maxRows: 3 })) rows.push([row, ...cells]);
  return rows;
}

test("a row has the number of the line on which it begins, whatever ends the lines", async () => {
  expect(await rowsOf('sep=;\r\nA;b\r\n\r"1\r\n2";" 3 "\r;\n\n  \nx;"y"\n')).toEqual([
    [4, "1\n2", "3"],
    [9, "x", "y"],
  ]);
  expect(await rowsOf("a,b\r\n1,\n2,\r\r3,")).toEqual([
    [2, "1"],
    [3, "2"],
    [5, "3"],
  ]);
  expect(await rowsOf("a,b,,\n1,2,, \n1,2,3\n4\n")).toEqual([
    [2, "1", "2"],
    [3, "1", "2", "3"],
    [4, "4"],
  ]);
});
