const ASCII = /^[\0-\x7f]*$/
/** Upper case would turn the dotless `ı` into `I`, but no folding of Unicode does. */
const CASED = /[^ı]+/g

/**
 * Returns a text as search compares it: in NFC, with the case folding of Unicode (decision 182). So `Σ`, `σ` and `ς`
 * are equal, `ß` equals `ss`, and accents count.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFC')
    .replace(CASED, (run) => run.toUpperCase().toLowerCase())
    .replaceAll('ς', 'σ')
    .normalize('NFC')

/**
 * Returns the folded texts of a record, each on a line, for its column `folded`. Returns null for texts in ASCII, which
 * each database writes in lower case alike, so that most records need no second copy of them.
 */
export function foldedColumn(...texts: readonly (string | null)[]): string | null {
  const text = texts.map((part) => part ?? '').join('\n')
  return ASCII.test(text) ? null : fold(text)
}

/** Returns the pattern of `like` for records whose folded text contains this text. */
export const containsPattern = (text: string): string =>
  `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`
