import { fill, language } from '../text/catalogue.ts'
import { refusals } from '../text/refusals.ts'
import { formatNumber } from './format.ts'

/** A problem of an input: the sentence of the API, and the rule that the input breaks. */
export interface BrokenRule {
  message: string
  field?: string
  /** The code of the refusal, for a problem of a whole request. */
  code?: string
  rule?: string
  limit?: number
  expected?: string
  format?: string
  allowed?: readonly unknown[]
  /** The units in stock, and those that a line of a paid order needs in addition. */
  available?: number
  missing?: number
}

type TextName = keyof typeof refusals

/** The texts of the rules that have a limit, which is `n`. */
const LIMITS: Record<string, TextName> = {
  at_least: 'atLeast',
  at_most: 'atMost',
  more_than: 'moreThan',
  less_than: 'lessThan',
  multiple_of: 'multiple',
  min_length: 'charactersMin',
  max_length: 'charactersMax',
  max_bytes: 'bytesMax',
  min_items: 'entriesMin',
  max_items: 'entriesMax',
  max_keys: 'entriesMax',
}

const NUMBERS: Record<string, TextName> = { integer: 'wholeNumber', number: 'number' }
const FORMATS: Record<string, TextName> = { email: 'email', date_time: 'date', date: 'date' }

/** The texts of the other rules; undefined if only the sentence of the API says enough. */
const TEXTS: Record<string, (broken: BrokenRule) => TextName | undefined> = {
  required: () => 'required',
  type: ({ field = '', expected = '' }) =>
    NUMBERS[expected] && field.endsWith('_cents') ? 'amount' : (NUMBERS[expected] ?? 'wrongType'),
  // The least value of another field, whose number the API did not know.
  at_least: () => 'belowMinimum',
  max_decimals: () => 'decimals',
  unique: () => 'eachOnce',
  one_of: ({ allowed }) => allowed && 'oneOf',
  format: ({ format = '' }) => FORMATS[format],
}

/** Sentences about the form of a text, which has no name, with the text of the page for each. The first match counts. */
const SENTENCES: readonly [RegExp, TextName][] = [
  [/https:\/\//, 'url'],
  [/ISO 8601|^Write a date|^Use a (?:date|year|time)/, 'date'],
  [/^Use an amount other than 0/, 'amount'],
  [/^Use a to z, 0 to 9 and hyphens, at most (?<n>\d+)\.$/, 'slug'],
  [/^Use digits\.$/, 'digits'],
  [/^Use (?:the id of|the 12 characters)/, 'id'],
  [/^This type of file is not supported\. Send a (?<list>.+) file\.$/, 'fileType'],
  [/^This file is empty/, 'fileEmpty'],
  [/such as (?<example>\S+?)[.,]?(?: |$)/, 'form'],
  [/^(?:Use|Start|Write) .*(?:a-z|A-Z|a to z|A to Z|letter|ASCII|base64|hex)/, 'characters'],
  [/^Use the (?:path|query)|^Remove (?:spaces|control characters)/, 'characters'],
]

/** Sentences of the API that speak of JSON or of names of fields. */
const FOR_PROGRAMS = /\bquotes\b|\bbrackets\b|\bbraces\b|, not null\.|[a-z]_[a-z]/

/**
 * Returns the problem of a field in the language of the page. The sentence of the API stays as it is if the page has no
 * words for it, and in English unless it speaks to programs.
 */
export const refusalText = (broken: BrokenRule): string =>
  language === 'en' && !FOR_PROGRAMS.test(broken.message)
    ? broken.message
    : (ownText(broken) ?? broken.message)

const stockText = (available: number, missing: number | undefined): string => {
  const n = formatNumber(available)
  return missing === undefined
    ? fill(refusals.outOfStock, { n })
    : fill(refusals.addUnits, { n, missing: formatNumber(missing) })
}

/** Returns the text of the page for a broken rule or a sentence of the API; undefined if it has none. */
export function ownText(broken: BrokenRule): string | undefined {
  const { message, code, rule = '', limit, allowed = [], available } = broken
  if (code === 'OUT_OF_STOCK' && available !== undefined)
    return stockText(available, broken.missing)
  const limitName = limit === undefined ? undefined : LIMITS[rule]
  if (limitName && limit !== undefined) return fill(refusals[limitName], { n: formatNumber(limit) })
  const name = TEXTS[rule]?.(broken)
  if (name) return fill(refusals[name], { list: allowed.join(', ') })
  for (const [sentence, textName] of SENTENCES) {
    const match = sentence.exec(message)
    if (match) return fill(refusals[textName], { ...match.groups })
  }
  return undefined
}
