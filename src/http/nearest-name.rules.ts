/** No field of ours is longer, so no longer name was meant to be one. */
const NAME_MAX = 40
/** One wrong letter of four is a slip, two are another word. */
const LETTERS_A_SLIP = 4

/** The name that was probably meant (decision 115): `priceCents`, `price` and `pirce_cents` are all `price_cents`. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  if (written.length > NAME_MAX) return undefined
  const word = plain(written)
  return (
    names.find((name) => plain(name) === word) ??
    names.find((name) => name.split('_').includes(written.toLowerCase())) ??
    names.find((name) => distance(plain(name), word) <= slipsIn(name))
  )
}

const slipsIn = (name: string): number => Math.min(2, Math.floor(name.length / LETTERS_A_SLIP))

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** How many letters have to be added, taken away or changed (Levenshtein). */
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
