/** Every field name is shorter, so a longer text is not compared. */
const NAME_MAX = 40
/** The letters of a name for each typing error that is allowed. */
const LETTERS_PER_TYPO = 4
const TYPOS_MAX = 2

/**
 * Returns the field name that was probably meant, if any (decision 132). For `priceCents`, `price` and
 * `pirce_cents` it returns `price_cents`.
 */
export function nearestName(writtenName: string, names: readonly string[]): string | undefined {
  if (writtenName.length > NAME_MAX) return undefined
  const word = withoutSigns(writtenName)
  return (
    names.find((name) => withoutSigns(name) === word) ??
    names.find((name) => name.split('_').includes(writtenName.toLowerCase())) ??
    names.find((name) => editDistance(withoutSigns(name), word) <= typosAllowed(name))
  )
}

const typosAllowed = (name: string): number =>
  Math.min(TYPOS_MAX, Math.floor(name.length / LETTERS_PER_TYPO))

const withoutSigns = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns the number of letters to add, remove or change (the Levenshtein distance). */
function editDistance(first: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...first].entries()) {
    const nextRow = [line + 1]
    for (const [index, otherLetter] of [...other].entries()) {
      const changeCost = (row[index] ?? 0) + (letter === otherLetter ? 0 : 1)
      nextRow.push(Math.min(changeCost, (row[index + 1] ?? 0) + 1, (nextRow[index] ?? 0) + 1))
    }
    row = nextRow
  }
  return row[other.length] ?? 0
}
