/** Callers' names and values are quoted in messages up to this many characters (decision 120). */
const ECHO_MAX = 100

/** Shortens a caller's text for a message or for the name of a field. */
export function shorten(text: string): string {
  if (text.length <= ECHO_MAX) return text
  // The cut must not leave half of a surrogate pair.
  return `${text.slice(0, ECHO_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** `['rates', 0, 'tiers', 1, 'min']` is written `rates[0].tiers[1].min`. */
export const fieldPath = (steps: readonly PropertyKey[]): string =>
  steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shorten(String(step))}`))
    .join('')
    .replace(/^\./, '')
