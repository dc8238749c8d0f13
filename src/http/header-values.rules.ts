/**
 * Returns the values of a header as it was sent, one for each time. `rawHeaders` has names and values alternately.
 * Node's parsed headers hide a repeated header: of some names they have the first value, of others all values joined.
 */
export const headerValues = (rawHeaders: readonly string[], name: string): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
