import { fieldPath, shorten } from './echo.ts'
import { invalid, Refusal } from './errors.ts'

/** Deeper than any of our shapes, and shallow enough for recursion. */
const DEPTH_MAX = 32
/**
 * Small values are expensive to parse: 1 MiB can contain 350,000 objects, which take JSON.parse 100
 * ms or more.
 */
export const VALUES_MAX = 50_000
/** The largest value of a remote setting, 64 KiB, has fewer keys. */
export const KEYS_MAX = 10_000
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** True for keys that could reach a prototype if a program copies them carelessly. */
export const isRefusedKey = (key: string): boolean => REFUSED_KEYS.has(key)

/**
 * Parses a body strictly (decision 32). INVALID_JSON: anything that is not JSON, a byte order mark,
 * invalid UTF-8, a repeated key in one object, and more than 32 levels. VALIDATION_FAILED, with the
 * path: text that the database cannot store, and keys that reach prototypes. The text is measured
 * before it is parsed (decision 120).
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const keys = measure(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson('The body is not valid JSON.')
  }
  // JSON.parse keeps the last of two equal keys, so a repeated key reduces the count.
  if (countKeys(value) !== keys) refuseRepeatedKey(text)
  refuseUnstorable(value)
  return value
}

const notJson = (why: string) => new Refusal('INVALID_JSON', why)

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.startsWith('\uFEFF')) return text
  } catch {
    throw notJson('The body is not valid UTF-8.')
  }
  throw notJson('The body begins with a byte order mark; send it without.')
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The object or list that contains the scan position. */
interface Level {
  isList: boolean
  /** Commas so far: the index of the current element of a list. */
  index: number
  keys: number
  /** The start of the last string, and of the key of the current value. */
  string: number
  key: number
}

const levelAt = (at: number, isList: boolean): Level => ({
  isList,
  index: 0,
  keys: 0,
  string: at,
  key: at,
})

/** Refuses text that is nested too deep or has too many values. Returns its number of keys. */
function measure(text: string): number {
  // The first level is the text itself.
  const levels = [levelAt(0, true)]
  let level = levelAt(0, true)
  let [values, keys] = [1, 0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        level.string = at
        at = endOfString(text, at) - 1
        continue
      case COMMA:
        values++
        level.index++
        break
      case COLON:
        keys++
        level.key = level.string
        level.keys++
        break
      case BRACE:
      case BRACKET:
        values++
        level = levelAt(at, text.charCodeAt(at) === BRACKET)
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
      throw notJson(`The body is nested over ${DEPTH_MAX} levels deep.`)
    if (values > VALUES_MAX) throw tooMany(text, levels, `${VALUES_MAX} values in a body`)
    if (level.keys > KEYS_MAX) throw tooMany(text, levels, `${KEYS_MAX} keys in an object`)
  }
  return keys
}

/** Names the object or list that contains the scan position. */
function tooMany(text: string, levels: readonly Level[], kind: string): Refusal {
  const path = levels
    .slice(1, -1)
    .map(({ isList, index, key }) => (isList ? index : readKey(text, key, endOfString(text, key))))
  return invalid(fieldPath(path), `Send at most ${kind}.`)
}

/** The text is not parsed yet, so a key may be invalid. */
function readKey(text: string, start: number, end: number): string {
  try {
    return String(JSON.parse(text.slice(start, end)))
  } catch {
    return ''
  }
}

/** Returns the position after the closing quote, or the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) return at + 1
    at += character === BACKSLASH ? 2 : 1
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
  for (const key of Object.keys(value)) count += 1 + countKeys((value as Named)[key])
  return count
}

type Named = Record<string, unknown>

/** Walks text that is valid JSON and has a repeated key in one object. */
function refuseRepeatedKey(text: string): never {
  const levels: (Set<string> | undefined)[] = []
  let [start, end] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      ;[start, end] = [at, endOfString(text, at)]
      at = end - 1
    } else if (character === COLON) addKey(levels.at(-1), readKey(text, start, end))
    else if (character === BRACE) levels.push(new Set())
    else if (character === BRACKET) levels.push(undefined)
    else if (character === BRACE_END || character === BRACKET_END) levels.pop()
  }
  throw notJson('A key is repeated in one object.')
}

function addKey(keys: Set<string> | undefined, key: string) {
  if (keys?.has(key)) throw notJson(`The key "${shorten(key)}" is repeated in one object.`)
  keys?.add(key)
}

interface Fault {
  /** From the value outwards. */
  path: PropertyKey[]
  why: string
}

/** Refuses, with the path, text with NUL or a lone surrogate, and keys that reach prototypes. */
export function refuseUnstorable(value: unknown): void {
  const fault = faultIn(value)
  if (fault) throw invalid(fieldPath(fault.path.reverse()), fault.why)
}

function faultIn(value: unknown): Fault | undefined {
  if (typeof value === 'string') {
    const why = whyUnstorable(value)
    return why === undefined ? undefined : { path: [], why }
  }
  if (value === null || typeof value !== 'object') return undefined
  return Array.isArray(value) ? faultInList(value) : faultInObject(value as Named)
}

function faultInList(items: readonly unknown[]): Fault | undefined {
  for (let at = 0; at < items.length; at++) {
    const fault = faultIn(items[at])
    if (fault) return behind(at, fault)
  }
  return undefined
}

function faultInObject(value: Named): Fault | undefined {
  for (const key of Object.keys(value)) {
    if (isRefusedKey(key)) return { path: [key], why: `"${key}" cannot be used as a key.` }
    if (whyUnstorable(key)) {
      return { path: [], why: 'A key contains a character that cannot be stored.' }
    }
    const fault = faultIn(value[key])
    if (fault) return behind(key, fault)
  }
  return undefined
}

function behind(step: PropertyKey, fault: Fault): Fault {
  fault.path.push(step)
  return fault
}

function whyUnstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'Remove the NUL character (U+0000).'
  if (!text.isWellFormed()) return 'Remove the lone surrogate: the text is not valid Unicode.'
  return undefined
}
