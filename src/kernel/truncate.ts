/** Truncates a text to a number of UTF-16 units, and never splits a surrogate pair. */
export const truncate = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
