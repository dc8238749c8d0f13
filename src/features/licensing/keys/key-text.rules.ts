/** Crockford's Base32: without I, L, O and U, which are easily confused. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 5
const GROUP_LENGTH = 5
const SYMBOLS = GROUPS * GROUP_LENGTH
const WILDCARD = '*'

/** The minimum number of wildcards. 13 give 65 random bits; keys with fewer could be guessed. */
export const WILDCARDS_MIN = 13
const PREVIEW_LENGTH = 5

/** Returns a uniform random number from 0 to 31. */
type DrawNumber = () => number

/** Returns a new key: an optional prefix, 24 random symbols (120 bits) and a check symbol. */
export function newKeyText(draw: DrawNumber, prefix?: string): string {
  const randomSymbols = Array.from({ length: SYMBOLS - 1 }, () => symbol(draw()))
  const symbols = [...randomSymbols, checkSymbol(randomSymbols)]
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    symbols.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH).join(''),
  )
  return [...(prefix ? [prefix] : []), ...groups].join('-')
}

/** Returns a new key in the seller's format. A random symbol replaces each `*`. */
export const fillMask = (draw: DrawNumber, mask: string): string =>
  mask.replaceAll(WILDCARD, () => symbol(draw()))

export const countWildcards = (mask: string): number => mask.split(WILDCARD).length - 1

const symbol = (value: number): string => ALPHABET[value] ?? ''

/**
 * Returns the sum of the symbols in GF(32), each multiplied by a different power of 2. A wrong symbol or
 * two swapped symbols change the sum.
 */
export function checkSymbol(symbols: readonly string[]): string {
  let sum = 0
  for (const item of symbols) sum = doubleInField(sum ^ ALPHABET.indexOf(item))
  return symbol(sum)
}

/** Multiplies by 2 in GF(32) with the polynomial x^5 + x^2 + 1. */
const doubleInField = (value: number): number => (value & 16 ? (value << 1) ^ 0b100101 : value << 1)

// White space and invisible characters: soft hyphens, zero-width marks, byte order marks.
const INVISIBLE = /[\s\u00ad\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]/gu

const removeInvisible = (text: string): string => text.replace(INVISIBLE, '')

/** Folds ASCII only. Unicode folding would map letters of other alphabets to ASCII. */
const foldSymbols = (text: string): string =>
  text
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/** Returns the normalised text of a key. Its hash finds the key. */
export const normalise = (text: string): string =>
  foldSymbols(removeInvisible(text).replaceAll('-', ''))

const GENERATED_FORM = new RegExp(
  `^(?:[0-9A-Z]{1,16}-)?((?:[${ALPHABET}]{${GROUP_LENGTH}}-){${GROUPS - 1}}[${ALPHABET}]{${GROUP_LENGTH}})$`,
)

/** Returns `mistyped` if the text has the form of a generated key but a wrong check symbol. */
export function formOf(text: string): 'generated' | 'mistyped' | 'other' {
  const symbols = GENERATED_FORM.exec(foldSymbols(removeInvisible(text)))?.[1]?.replaceAll('-', '')
  if (symbols === undefined) return 'other'
  return checkSymbol([...symbols.slice(0, -1)]) === symbols.at(-1) ? 'generated' : 'mistyped'
}

/** Returns the prefix of a generated key; undefined if it has none. */
export function prefixOf(key: string): string | undefined {
  const groups = formOf(key) === 'generated' ? key.split('-') : []
  return groups.length > GROUPS ? groups[0] : undefined
}

export const previewOf = (key: string): string => key.slice(-PREVIEW_LENGTH)
