/** Writes a number with its unit: `1 unit`, `2 units`. */
export const counted = (count: number, unit: string): string =>
  `${count} ${count === 1 ? unit : `${unit}s`}`

/** Returns a sentence about changed records: `1 session was ended.` */
export const changedText = (count: number, unit: string, change: string): string =>
  `${counted(count, unit)} ${count === 1 ? 'was' : 'were'} ${change}.`
