/** Crockford's Base32: without I, L, O and U, which are easily confused. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 5
const GROUP_LENGTH = 5
const SYMBOLS = GROUPS * GROUP_LENGTH
const WILDCARD = '*'

/** 13 wildcards are 65 random bits. Fewer could be guessed. */
export const WILDCARDS_MIN = 13
const PREVIEW_LENGTH = 5

/** Returns a uniform random number from 0 to 31. */
export type Draw = () => number

/** A new key: the prefix if there is one, 24 random symbols (120 bits) and a check symbol. */
export function newKeyText(draw: Draw, prefix?: string): string {
  const random = Array.from({ length: SYMBOLS - 1 }, () => symbol(draw()))
  const symbols = [...random, checkSymbol(random)]
  const groups = Array.from({ length: GROUPS }, (_, at) =>
    symbols.slice(at * GROUP_LENGTH, (at + 1) * GROUP_LENGTH).join(''),
  )
  return [...(prefix ? [prefix] : []), ...groups].join('-')
}

/** A new key in the seller's format: each `*` becomes a random symbol. */
export const fillMask = (draw: Draw, mask: string): string =>
  mask.replaceAll(WILDCARD, () => symbol(draw()))

export const countWildcards = (mask: string): number => mask.split(WILDCARD).length - 1

const symbol = (value: number): string => ALPHABET[value] ?? ''

/**
 * The sum of the symbols, each times another power of 2 in GF(32). One wrong symbol or two swapped symbols
 * change the sum.
 */
export function checkSymbol(symbols: readonly string[]): string {
  let sum = 0
  for (const item of symbols) sum = double(sum ^ ALPHABET.indexOf(item))
  return symbol(sum)
}

/** Multiplies by 2 in GF(32) with the polynomial x^5 + x^2 + 1. */
const double = (value: number): number => (value & 16 ? (value << 1) ^ 0b100101 : value << 1)

// White space and invisible characters: soft hyphens, zero-width marks, byte order marks.
const INVISIBLE = /[\s\u00ad\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]/gu

/** Removes white space and invisible characters. */
const visible = (text: string): string => text.replace(INVISIBLE, '')

/** Folds ASCII only. Unicode folding would map letters of other alphabets to ASCII. */
const fold = (text: string): string =>
  text
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/** A key in the form in which it is looked up. */
export const normalise = (text: string): string => fold(visible(text).replaceAll('-', ''))

const GENERATED_FORM = new RegExp(
  `^(?:[0-9A-Z]{1,16}-)?((?:[${ALPHABET}]{${GROUP_LENGTH}}-){${GROUPS - 1}}[${ALPHABET}]{${GROUP_LENGTH}})$`,
)

/** `ours` for a generated key, `mistyped` if its check symbol is wrong, `other` for any other text. */
export function formOf(text: string): 'ours' | 'mistyped' | 'other' {
  const symbols = GENERATED_FORM.exec(fold(visible(text)))?.[1]?.replaceAll('-', '')
  if (symbols === undefined) return 'other'
  const last = symbols.at(-1)
  return checkSymbol([...symbols.slice(0, -1)]) === last ? 'ours' : 'mistyped'
}

/** The prefix of a generated key; undefined if it has none. */
export function prefixOf(key: string): string | undefined {
  const groups = formOf(key) === 'ours' ? key.split('-') : []
  return groups.length > GROUPS ? groups[0] : undefined
}

export const previewOf = (key: string): string => key.slice(-PREVIEW_LENGTH)
