/** Returns values without repetitions. Two ids of one document are the same. */
export const distinct = <V>(values: readonly V[]): V[] => [
  ...new Map(values.map((value) => [String(value), value])).values(),
];
