import { fill, language } from '../text/catalogue.ts'
import { refusals } from '../text/refusals.ts'
import { formatNumber } from './format.ts'

/**
 * The sentences of the API for the limits of a field, with the text of the page for each. The first group is `n` and
 * the second `max`. The first match counts.
 */
const SENTENCES: readonly [RegExp, keyof typeof refusals][] = [
  [/^This field is required\.$/, 'required'],
  [/^(?:This field is required\. )?Use one of (?<list>.+)\.$/, 'oneOf'],
  [/^Use (?:at least )?(-?[\d.]*\d)(?: \([^)]*\))?(?: or more)?(?:, or null)?\.$/, 'atLeast'],
  [/^Use at most (-?[\d.]*\d)(?: \([^)]*\))?\.$/, 'atMost'],
  [/^Order (\d+) or more of this product\.$/, 'atLeast'],
  [/^Order at most (\d+) of this product\.$/, 'atMost'],
  [/^A customer may buy at most (\d+) of this product/, 'atMost'],
  [/^Use more than (-?[\d.]*\d)\.$/, 'moreThan'],
  [/^Use less than (-?[\d.]*\d)\.$/, 'lessThan'],
  [/^Use (-?[\d.]*\d) to (-?[\d.]*\d)\.$/, 'between'],
  [/^Use a multiple of ([\d.]*\d)\.$/, 'multiple'],
  [/^(?:Use|Write) a whole number/, 'wholeNumber'],
  [/^Write a number without quotes/, 'number'],
  [/^Use at most two decimals\.$/, 'decimals'],
  [/^Use an integer in minor units|^Use an amount other than 0/, 'amount'],
  [/^Use min(?:_qty|_days)? or more, or null\.$/, 'belowMinimum'],
  [/^Write .+, not null\.$/, 'required'],
  [/^Write (?:text|true or false|a list|an object|null|a value)\b.*, not .+\.$/, 'wrongType'],
  [/^(?:Write|Use) at least (\d+) characters?\.$/, 'charactersMin'],
  [/^Write at least (one)(?: visible)? character(?:, or null)?\.$/, 'charactersMin'],
  [/^(?:Write|Use) at most (\d+|one) characters?\.$/, 'charactersMax'],
  [/^Write (\d+) to (\d+) characters\.$/, 'charactersBetween'],
  [/^(?:Write|Use|Send) at most (\d+) bytes\.$/, 'bytesMax'],
  [/^(?:List|Name|Send|Use|Nest) at most (\d+|one)\b[^.]*\.$/, 'entriesMax'],
  [/^(?:List|Name|Send|Use) at least (\d+|one)\b[^.()*]*(?:\*[^.]*)?\.$/, 'entriesMin'],
  [/^(?:List|Name|Send) each .+ once\.$/, 'eachOnce'],
  [/^Use an address such as \S+@\S+$/, 'email'],
  [/https:\/\//, 'url'],
  [/ISO 8601|^Write a date|^Use a (?:date|year|time)/, 'date'],
  [/^Use a to z, 0 to 9 and hyphens, at most (\d+)\.$/, 'slug'],
  [/^Use digits\.$/, 'digits'],
  [/^Use (?:the id of|the 12 characters)/, 'id'],
  [/^This type of file is not supported\. Send a (?<list>.+) file\.$/, 'fileType'],
  [/^This file is empty/, 'fileEmpty'],
  [/^Use (?<list>\w+ or \w+)\b/, 'oneOf'],
  [/^(?:Only|Sold out:) (\d+) left of /, 'outOfStock'],
  [/such as (?<example>\S+?)[.,]?(?: |$)/, 'form'],
  [/^(?:Use|Start|Write) .*(?:a-z|A-Z|a to z|A to Z|letter|ASCII|base64|hex)/, 'characters'],
  [/^Use the (?:path|query)|^Remove control characters/, 'characters'],
]

/** Sentences of the API that speak of JSON or of names of fields. */
const FOR_PROGRAMS = /\bquotes\b|\bbrackets\b|\bbraces\b|, not null\.|\bmin_/

/**
 * Returns a sentence of the API about a field in the language of the page. It stays as it is if the page has no words
 * for it, and in English unless it speaks to programs.
 */
export const refusalText = (message: string): string =>
  language === 'en' && !FOR_PROGRAMS.test(message) ? message : (ownSentence(message) ?? message)

/** Returns the text of the page for a sentence of the API; undefined if it has none. */
export function ownSentence(message: string): string | undefined {
  for (const [sentence, name] of SENTENCES) {
    const match = sentence.exec(message)
    if (match) return fill(refusals[name], valuesOf(match))
  }
  return undefined
}

function valuesOf(match: RegExpExecArray): Record<string, string> {
  const [, n, max] = match
  return match.groups ? { ...match.groups } : { n: numberText(n), max: numberText(max) }
}

const numberText = (text: string | undefined): string =>
  text === 'one' ? formatNumber(1) : text === undefined ? '' : formatNumber(Number(text))
