import { invalid, StoreError } from './errors.ts'

/** Deeper than any shape of ours, and shallow enough to walk without care. */
const DEPTH_MAX = 32
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a key would reach into a prototype where a careless program copies it. */
export const isRefusedKey = (key: string): boolean => REFUSED_KEYS.has(key)

/**
 * Reads a body strictly (decision 32). What is not JSON, a byte order mark, bytes that are not
 * UTF-8, a key twice in one object and more than 32 levels are INVALID_JSON; text that a database
 * cannot keep, and keys that reach into prototypes, are VALIDATION_FAILED with their path.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson('The body is not valid JSON.')
  }
  scan(text)
  refuseUnstorable(value, '')
  return value
}

const notJson = (why: string) => new StoreError('INVALID_JSON', why)

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.startsWith('\uFEFF')) return text
  } catch {
    throw notJson('The body is not valid UTF-8.')
  }
  throw notJson('The body begins with a byte order mark; send it without.')
}

/** Walks text that is known to be JSON, for what JSON.parse lets pass: depth, and keys said twice. */
function scan(text: string) {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at, open.at(-1)) - 1
    else if (character === '{') open.push(new Set())
    else if (character === '[') open.push(null)
    else if (character === '}' || character === ']') open.pop()
    if (open.length > DEPTH_MAX) throw notJson(`The body is nested over ${DEPTH_MAX} levels deep.`)
  }
}

/** Where a string ends; if it is a key of the object around it, it must be the first of its name. */
function endOfString(text: string, start: number, keys: Set<string> | null | undefined): number {
  let end = start + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  end++
  if (keys && isKey(text, end)) addKey(keys, JSON.parse(text.slice(start, end)))
  return end
}

function isKey(text: string, end: number): boolean {
  let at = end
  while (' \n\r\t'.includes(text[at] ?? '')) at++
  return text[at] === ':'
}

function addKey(keys: Set<string>, key: string) {
  if (keys.has(key)) throw notJson(`The key "${key.slice(0, 100)}" stands twice in one object.`)
  keys.add(key)
}

/** Refuses, by its path, text with NUL or half of a surrogate pair, and keys of prototypes. */
export function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === 'string') refuseText(value, path)
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnstorable(item, `${path}[${index}]`)
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) refuseEntry(key, item, path)
  }
}

function refuseText(text: string, path: string) {
  const why = whyUnstorable(text)
  if (why) throw invalid(path, why)
}

function refuseEntry(key: string, item: unknown, path: string) {
  const where = path ? `${path}.${key}` : key
  if (isRefusedKey(key)) throw invalid(where, `"${key}" cannot be used as a key.`)
  if (whyUnstorable(key)) throw invalid(path, 'A key holds a character that cannot be stored.')
  refuseUnstorable(item, where)
}

function whyUnstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'Remove the NUL character (U+0000).'
  if (!text.isWellFormed()) return 'Remove the lone surrogate: the text is not valid Unicode.'
  return undefined
}
