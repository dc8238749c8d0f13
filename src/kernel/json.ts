import { fieldPath, shorten } from './echo.ts'
import { invalid, Refusal } from './errors.ts'

/** The nesting limit. It is deeper than every shape, and shallow enough for recursion. */
const DEPTH_MAX = 32
/**
 * The limit of values in a body. Without it, 1 MiB could contain 350,000 objects, for which JSON.parse
 * needs 100 ms or more.
 */
const VALUES_MAX = 50_000
/** The limit of keys in an object. The largest value of a remote setting (64 KiB) has fewer keys. */
const KEYS_MAX = 10_000
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns true for keys with which a careless copy could change a prototype. */
export const isRefusedKey = (key: string): boolean => REFUSED_KEYS.has(key)

/**
 * Parses a body strictly (decision 32). INVALID_JSON is for text that is not JSON, a byte order mark,
 * invalid UTF-8, a repeated key in an object, and more than 32 levels. VALIDATION_FAILED is for text
 * that the database cannot store and for keys such as `__proto__`. The text is measured before it is
 * parsed (decision 120).
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const keys = checkLimits(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notJson(`${syntaxFault(text, String(error))} Send JSON in UTF-8.`)
  }
  // JSON.parse keeps the last of two equal keys, so a repeated key reduces the count.
  if (countKeys(value) !== keys) refuseRepeatedKey(text)
  refuseUnstorable(value)
  return value
}

/** Says where JSON.parse stopped, as far as its error names the position. */
function syntaxFault(text: string, error: string): string {
  const position = Number(/ at position (\d+)/.exec(error)?.[1] ?? Number.NaN)
  if (/end of JSON|Unterminated/.test(error) || position >= text.trimEnd().length)
    return 'The body ends before its JSON is complete.'
  if (Number.isNaN(position)) return 'The body is not valid JSON.'
  const lines = text.slice(0, position).split('\n')
  const column = (lines.at(-1)?.length ?? 0) + 1
  return `The body is not valid JSON at line ${lines.length}, column ${column}.`
}

const notJson = (message: string) => new Refusal('INVALID_JSON', message)

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.startsWith('\uFEFF')) return text
  } catch {
    throw notJson('The body is not valid UTF-8. Send it in UTF-8.')
  }
  throw notJson('The body begins with a byte order mark. Remove it.')
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The object or list that contains the scan position. */
interface Level {
  isList: boolean
  /** The number of commas so far, which is the index of the current element of a list. */
  index: number
  keys: number
  /** The start of the last string. */
  string: number
  /** The start of the key of the current value. */
  key: number
}

const levelAt = (start: number, isList: boolean): Level => ({
  isList,
  index: 0,
  keys: 0,
  string: start,
  key: start,
})

/** Refuses text that is nested too deep or has too many values. Returns its number of keys. */
function checkLimits(text: string): number {
  // The first level is the text itself.
  const levels = [levelAt(0, true)]
  let level = levelAt(0, true)
  let [valueCount, keys] = [1, 0]
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        level.string = index
        index = endOfString(text, index) - 1
        continue
      case COMMA:
        valueCount++
        level.index++
        break
      case COLON:
        keys++
        level.key = level.string
        level.keys++
        break
      case BRACE:
      case BRACKET:
        valueCount++
        level = levelAt(index, text.charCodeAt(index) === BRACKET)
        levels.push(level)
        break
      case BRACE_END:
      case BRACKET_END:
        levels.pop()
        level = levels.at(-1) ?? levelAt(0, true)
        continue
      default:
        continue
    }
    // The text itself adds one level.
    if (levels.length > DEPTH_MAX + 1)
      throw notJson(`The body is nested too deeply. Nest at most ${DEPTH_MAX} levels.`)
    if (valueCount > VALUES_MAX) throw tooMany(text, levels, `${VALUES_MAX} values in a body`)
    if (level.keys > KEYS_MAX) throw tooMany(text, levels, `${KEYS_MAX} keys in an object`)
  }
  return keys
}

/** Creates the refusal of the object or list that contains the scan position. */
function tooMany(text: string, levels: readonly Level[], kind: string): Refusal {
  const path = levels
    .slice(1, -1)
    .map(({ isList, index, key }) => (isList ? index : readKey(text, key, endOfString(text, key))))
  return invalid(fieldPath(path), `Send at most ${kind}.`)
}

/** Reads a key of text that is not parsed yet, so the key may be invalid. */
function readKey(text: string, start: number, end: number): string {
  try {
    return String(JSON.parse(text.slice(start, end)))
  } catch {
    return ''
  }
}

/** Returns the position after the closing quote, or the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const character = text.charCodeAt(index)
    if (character === QUOTE) return index + 1
    index += character === BACKSLASH ? 2 : 1
  }
  return text.length
}

function countKeys(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  for (const key of Object.keys(value)) count += 1 + countKeys((value as JsonObject)[key])
  return count
}

type JsonObject = Record<string, unknown>

/** Finds the repeated key in a text that is valid JSON, and throws. */
function refuseRepeatedKey(text: string): never {
  const levels: (Set<string> | undefined)[] = []
  let [start, end] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === QUOTE) {
      ;[start, end] = [index, endOfString(text, index)]
      index = end - 1
    } else if (character === COLON) addKey(levels.at(-1), readKey(text, start, end))
    else if (character === BRACE) levels.push(new Set())
    else if (character === BRACKET) levels.push(undefined)
    else if (character === BRACE_END || character === BRACKET_END) levels.pop()
  }
  throw notJson('A key is repeated in one object. Send each key once.')
}

function addKey(keys: Set<string> | undefined, key: string) {
  if (keys?.has(key))
    throw notJson(`The key "${shorten(key)}" is repeated in one object. Send it once.`)
  keys?.add(key)
}

interface Fault {
  /** The path of the faulty value, the innermost key first. */
  path: PropertyKey[]
  problem: string
}

/** Refuses text with NUL or a lone surrogate, and keys such as `__proto__`. The refusal names the path, or the whole. */
export function refuseUnstorable(value: unknown, whole: 'body' | 'query' = 'body'): void {
  const fault = findFault(value)
  if (fault) throw invalid(fieldPath(fault.path.reverse()) || whole, fault.problem)
}

function findFault(value: unknown): Fault | undefined {
  if (typeof value === 'string') {
    const problem = storageProblem(value)
    return problem === undefined ? undefined : { path: [], problem }
  }
  if (value === null || typeof value !== 'object') return undefined
  return Array.isArray(value) ? findListFault(value) : findObjectFault(value as JsonObject)
}

function findListFault(items: readonly unknown[]): Fault | undefined {
  for (const [index, item] of items.entries()) {
    const fault = findFault(item)
    if (fault) return addStep(index, fault)
  }
  return undefined
}

function findObjectFault(value: JsonObject): Fault | undefined {
  for (const key of Object.keys(value)) {
    if (isRefusedKey(key))
      return { path: [key], problem: `"${key}" cannot be used as a key. Use another name.` }
    if (storageProblem(key)) {
      return {
        path: [],
        problem: 'A key contains a character that cannot be stored. Remove the character.',
      }
    }
    const fault = findFault(value[key])
    if (fault) return addStep(key, fault)
  }
  return undefined
}

function addStep(step: PropertyKey, fault: Fault): Fault {
  fault.path.push(step)
  return fault
}

function storageProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'Remove the NUL character (U+0000).'
  if (!text.isWellFormed()) return 'Remove the lone surrogate: the text is not valid Unicode.'
  return undefined
}
