/** Longer than every known field; a longer name is not compared. */
const NAME_MAX = 40
/** One typing error is allowed for every four letters. */
const LETTERS_PER_TYPO = 4

/**
 * The field name that was probably meant, if any (decision 115). `priceCents`, `price` and
 * `pirce_cents` all give `price_cents`.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  if (written.length > NAME_MAX) return undefined
  const word = plain(written)
  return (
    names.find((name) => plain(name) === word) ??
    names.find((name) => name.split('_').includes(written.toLowerCase())) ??
    names.find((name) => distance(plain(name), word) <= typosAllowed(name))
  )
}

const typosAllowed = (name: string): number =>
  Math.min(2, Math.floor(name.length / LETTERS_PER_TYPO))

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The number of letters to add, remove or change (Levenshtein). */
function distance(item: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...item].entries()) {
    const next = [line + 1]
    for (const [at, another] of [...other].entries()) {
      const changed = (row[at] ?? 0) + (letter === another ? 0 : 1)
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
