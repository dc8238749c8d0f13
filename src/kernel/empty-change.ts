/** Returns true if a change sets no field. Such a change has no effect (decision 391). */
export const isEmptyChange = (change: object): boolean =>
  Object.values(change).every((value) => value === undefined)
