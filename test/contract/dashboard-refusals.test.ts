import { beforeAll, expect, test, vi } from 'vitest'
import { userEndpoints } from '../../src/features/installation/index.ts'
import { describeIssue } from '../../src/http/describe-issue.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { dashboardEndpoints } from '../../src/surfaces/dashboard/dashboard-api.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Json } from '../harness.ts'

// The dashboard words what the API says about the limits of a field in its own languages.

const ENDPOINTS = [
  ...storeEndpoints,
  ...securityEndpoints,
  ...dashboardEndpoints,
  ...userEndpoints,
] as readonly Endpoint[]

/** The issue of a check that fails, by the kind of check. */
const ISSUES: Record<string, (check: Json, origin: string) => Json> = {
  greater_than: ({ value, inclusive }, origin) => ({
    ...{ code: 'too_small', origin, minimum: value, inclusive },
  }),
  less_than: ({ value, inclusive }, origin) => ({
    ...{ code: 'too_big', origin, maximum: value, inclusive },
  }),
  min_length: ({ minimum }, origin) => ({ code: 'too_small', origin, minimum, inclusive: true }),
  max_length: ({ maximum }, origin) => ({ code: 'too_big', origin, maximum, inclusive: true }),
  number_format: () => ({ code: 'invalid_type', expected: 'int', input: 1.5 }),
  string_format: ({ format, pattern }) => ({
    ...{ code: 'invalid_format', format, pattern: String(pattern) },
  }),
}

function sentenceOf(definition: Json, issue: Json): string {
  const own = definition.error?.({ ...issue, path: [] })
  return (typeof own === 'string' ? own : own?.message) ?? describeIssue({ ...issue, path: [] })
}

/** Collects what a shape says about each of its limits: lengths, bounds, formats, allowed values and sizes. */
function collectSentences(shape: Json, sentences: Set<string>, seen: Set<unknown>): void {
  if (!shape?._zod || seen.has(shape)) return
  seen.add(shape)
  const { def } = shape._zod
  const checks = [...(def.checks ?? []).map((check: Json) => check._zod.def), def]
  for (const check of checks) {
    const issueOf = ISSUES[check.check]
    if (issueOf) sentences.add(sentenceOf(check, issueOf(check, def.type)))
  }
  if (def.type === 'enum') {
    const values = Object.values(def.entries)
    sentences.add(sentenceOf(def, { code: 'invalid_value', values, input: 'no such value' }))
  }
  if (def.keys_max !== undefined)
    sentences.add(sentenceOf(def, { code: 'too_big', origin: 'record', maximum: def.keys_max }))
  for (const part of [...Object.values(def), ...Object.values(def.shape ?? {})].flat())
    collectSentences(part as Json, sentences, seen)
  if (def.getter) collectSentences(def.getter(), sentences, seen)
}

function sentencesOfShapes(): string[] {
  const sentences = new Set<string>()
  const seen = new Set()
  for (const { body } of ENDPOINTS) collectSentences(body, sentences, seen)
  return [...sentences].sort()
}

/** Sentences of the API about limits that are not those of a shape. */
const OTHER_SENTENCES = [
  'This field is required.',
  'Use a multiple of 5.',
  'Use less than 3.',
  'Write a number without quotes, not text.',
  'Write a list in brackets, [ ], not text.',
  'Use min_qty or more, or null.',
  'Order 3 or more of this product.',
  'Order at most 5 of this product.',
  'A customer may buy at most 2 of this product in total. Order fewer.',
  'Use an integer in minor units, such as 1999 for 19.99.',
  'Send at most 1048576 bytes.',
  'This file is empty. Send at least one byte.',
  'This type of file is not supported. Send a PNG, JPEG, GIF, WebP, AVIF, MP4 or WebM file.',
  'Only 2 left of Game (Standard); order 2 or fewer.',
  'Sold out: 0 left of Game (Standard). Add stock first.',
]

let ownSentence: (sentence: string) => string | undefined
let refusalText: (sentence: string) => string

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('document', { documentElement: {} })
  const path = new URL('../../dashboard/src/kit/refusal-words.ts', import.meta.url).href
  const words = (await import(path)) as Record<string, unknown>
  ownSentence = words.ownSentence as typeof ownSentence
  refusalText = words.refusalText as typeof refusalText
  return () => vi.unstubAllGlobals()
})

// A text of the dashboard exists in each of its languages (`npm run check`).
test('each limit of a field has a text of the dashboard, with no placeholder left', () => {
  const sentences = [...sentencesOfShapes(), ...OTHER_SENTENCES]
  expect(sentences.length).toBeGreaterThan(150)
  const unknown = sentences.filter((sentence) =>
    /^undefined$|\{\w+\}|NaN/.test(String(ownSentence(sentence))),
  )
  expect(unknown).toEqual([])
})

test.each([
  ['Use 15 to 10080.', 'Use 15 to 10,080.'],
  ['Use at most 2592000 (30 days).', 'Use at most 2,592,000.'],
  ['Use 1 or more, or null.', 'Use 1 or more.'],
  ['Use one of en, de, es.', 'Use one of en, de, es.'],
  ['Use seller or customer.', 'Use one of seller or customer.'],
  ['Send at most 5000 keys in a call.', 'Name at most 5,000 entries.'],
  ['Name at least one country, or * for the rest of the world.', 'Name at least 1 entry.'],
  ['Write at most 255 characters.', 'Write at most 255 characters.'],
  ['Write 16 to 256 characters.', 'Write 16 to 256 characters.'],
  ['Only 2 left of Game (Standard); order 2 or fewer.', 'Not enough in stock: 2 available.'],
])('%s becomes "%s"', (sentence, text) => {
  expect(ownSentence(sentence)).toBe(text)
})

test.each([
  ['Write a whole number without quotes, not a fraction.', 'Use a whole number.'],
  ['Write text in quotes, not null.', 'Fill in this field.'],
  ['Use min_qty or more, or null.', 'This is less than the minimum.'],
  ['Order 3 or more of this product.', 'Order 3 or more of this product.'],
])(
  'a sentence of the API that speaks to programs is replaced in English too: %s',
  (sentence, text) => {
    expect(refusalText(sentence)).toBe(text)
  },
)
