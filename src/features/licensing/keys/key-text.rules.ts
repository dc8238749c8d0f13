/** Crockford's Base32: no I, L, O and U, which people mistake for others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 5
const GROUP_LENGTH = 5
const SYMBOLS = GROUPS * GROUP_LENGTH
const WILDCARD = '*'

/** 13 wildcards are 65 bits: fewer could be guessed. */
export const WILDCARDS_MIN = 13
const PREVIEW_LENGTH = 5

/** Gives a number from 0 to 31, each as likely as another. */
export type Draw = () => number

/** A new key: `prefix-` where there is one, 24 random symbols (120 bits) and one that checks them. */
export function newKeyText(draw: Draw, prefix?: string): string {
  const random = Array.from({ length: SYMBOLS - 1 }, () => symbol(draw()))
  const symbols = [...random, checkSymbol(random)]
  const groups = Array.from({ length: GROUPS }, (_, at) =>
    symbols.slice(at * GROUP_LENGTH, (at + 1) * GROUP_LENGTH).join(''),
  )
  return [...(prefix ? [prefix] : []), ...groups].join('-')
}

/** A key of the seller's form: each `*` becomes a symbol. */
export const fillMask = (draw: Draw, mask: string): string =>
  mask.replaceAll(WILDCARD, () => symbol(draw()))

export const countWildcards = (mask: string): number => mask.split(WILDCARD).length - 1

const symbol = (value: number): string => ALPHABET[value] ?? ''

/**
 * The sum of the symbols, each times another power of 2 in GF(32): one wrong symbol, or two that
 * changed places, give another sum.
 */
export function checkSymbol(symbols: readonly string[]): string {
  let sum = 0
  for (const item of symbols) sum = double(sum ^ ALPHABET.indexOf(item))
  return symbol(sum)
}

/** Times 2 in the field of x^5 + x^2 + 1. */
const double = (value: number): number => (value & 16 ? (value << 1) ^ 0b100101 : value << 1)

// White space of all kinds, and what is not seen: soft hyphens, zero-width marks, byte order marks.
const UNSEEN = /[\s\u00ad\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]/gu

/** What was pasted, without the white space that came along. */
const visible = (text: string): string => text.replace(UNSEEN, '')

/** ASCII only: Unicode folding would make letters of other alphabets equal to ours. */
const fold = (text: string): string =>
  text
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/** A key as it is looked up: what people mistype or paste along does not matter. */
export const normalise = (text: string): string => fold(visible(text).replaceAll('-', ''))

const OUR_FORM = new RegExp(
  `^(?:[0-9A-Z]{1,16}-)?((?:[${ALPHABET}]{${GROUP_LENGTH}}-){${GROUPS - 1}}[${ALPHABET}]{${GROUP_LENGTH}})$`,
)

/** Whether a text has the form of our keys; and if so, whether its last symbol fits the others. */
export function formOf(text: string): 'ours' | 'mistyped' | 'other' {
  const symbols = OUR_FORM.exec(fold(visible(text)))?.[1]?.replaceAll('-', '')
  if (symbols === undefined) return 'other'
  const last = symbols.at(-1)
  return checkSymbol([...symbols.slice(0, -1)]) === last ? 'ours' : 'mistyped'
}

/** What stands before the five groups of a key of our form; undefined where nothing does. */
export function prefixOf(key: string): string | undefined {
  const groups = formOf(key) === 'ours' ? key.split('-') : []
  return groups.length > GROUPS ? groups[0] : undefined
}

export const previewOf = (key: string): string => key.slice(-PREVIEW_LENGTH)
