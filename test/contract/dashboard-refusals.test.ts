import { beforeAll, expect, test, vi } from 'vitest'
import { userEndpoints } from '../../src/features/installation/index.ts'
import { describeIssue } from '../../src/http/describe-issue.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { ruleOfIssue } from '../../src/http/rule-of-issue.ts'
import { dashboardEndpoints } from '../../src/surfaces/dashboard/dashboard-api.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Json } from '../harness.ts'

// The dashboard words the rules of a field in its own languages (decision 515).

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

/** A problem as it stands in `details.errors`. */
function problemOf(definition: Json, issue: Json): Json {
  const own = definition.error?.({ ...issue, path: [] })
  const message =
    (typeof own === 'string' ? own : own?.message) ?? describeIssue({ ...issue, path: [] })
  const allowed = issue.code === 'invalid_value' && { allowed: issue.values }
  return { message, ...allowed, ...ruleOfIssue({ ...issue, path: [] }) }
}

/** Collects what the API says about each limit of a shape: lengths, bounds, formats, allowed values and sizes. */
function collectProblems(shape: Json, problems: Map<string, Json>, seen: Set<unknown>): void {
  if (!shape?._zod || seen.has(shape)) return
  seen.add(shape)
  const { def } = shape._zod
  // A check alone does not know the kind of value; its shape has collected it.
  if (def.type === undefined) return
  const add = (definition: Json, issue: Json) => {
    const problem = problemOf(definition, issue)
    problems.set(JSON.stringify(problem), problem)
  }
  const checks = [...(def.checks ?? []).map((check: Json) => check._zod.def), def]
  for (const check of checks) {
    const issueOf = ISSUES[check.check]
    if (issueOf) add(check, { input: 'x', ...issueOf(check, def.type) })
  }
  if (def.type === 'enum') {
    const values = Object.values(def.entries)
    add(def, { code: 'invalid_value', values, input: 'no such value' })
  }
  if (def.keys_max !== undefined)
    add(def, { code: 'too_big', origin: 'record', maximum: def.keys_max, input: {} })
  for (const part of [...Object.values(def), ...Object.values(def.shape ?? {})].flat())
    collectProblems(part as Json, problems, seen)
  if (def.getter) collectProblems(def.getter(), problems, seen)
}

function problemsOfShapes(): Json[] {
  const problems = new Map<string, Json>()
  const seen = new Set()
  for (const { body } of ENDPOINTS) collectProblems(body, problems, seen)
  return [...problems.values()]
}

const numberRule = (rule: string, limit: number, message: string) => ({ rule, limit, message })

/** Problems of limits that are not those of a shape. */
const OTHER_PROBLEMS: Json[] = [
  { rule: 'required', message: 'This field is required.' },
  numberRule('multiple_of', 5, 'Use a multiple of 5.'),
  numberRule('less_than', 3, 'Use less than 3.'),
  { rule: 'type', expected: 'number', message: 'Write a number without quotes, not text.' },
  { rule: 'type', expected: 'array', message: 'Write a list in brackets, [ ], not text.' },
  numberRule('at_least', 3, 'Use min_qty or more, or null.'),
  { rule: 'at_least', message: 'Use min or more, or null.' },
  numberRule('at_least', 3, 'Order 3 or more of this product.'),
  numberRule('max_bytes', 1_048_576, 'Send at most 1048576 bytes.'),
  { rule: 'unique', message: 'Name each region once.' },
  { rule: 'format', format: 'email', message: 'Use an address such as name@example.com.' },
  { message: 'This file is empty. Send at least one byte.' },
  {
    message:
      'This type of file is not supported. Send a PNG, JPEG, GIF, WebP, AVIF, MP4 or WebM file.',
  },
  { code: 'OUT_OF_STOCK', available: 2, message: 'Only 2 left of Game; order 2 or fewer.' },
  {
    code: 'OUT_OF_STOCK',
    available: 2,
    missing: 1,
    message: 'Only 2 left of Game for this line, which needs 3. Add 1 or more first.',
  },
]

let ownText: (problem: Json) => string | undefined
let refusalText: (problem: Json) => string

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('document', { documentElement: {} })
  const path = new URL('../../dashboard/src/kit/refusal-words.ts', import.meta.url).href
  const words = (await import(path)) as Record<string, unknown>
  ownText = words.ownText as typeof ownText
  refusalText = words.refusalText as typeof refusalText
  return () => vi.unstubAllGlobals()
})

// A text of the dashboard exists in each of its languages (`npm run check`).
test('each limit of a field has a text of the dashboard, with no placeholder left', () => {
  const problems = [...problemsOfShapes(), ...OTHER_PROBLEMS]
  expect(problems.length).toBeGreaterThan(150)
  const unknown = problems.filter((problem) =>
    /^undefined$|\{\w+\}|NaN/.test(String(ownText(problem))),
  )
  expect(unknown).toEqual([])
})

test('each limit of a field is refused with its rule', () => {
  expect(problemsOfShapes().filter(({ rule }) => rule === undefined)).toEqual([])
})

test.each([
  [numberRule('at_most', 10_080, 'Use 15 to 10080.'), 'Use at most 10,080.'],
  [numberRule('at_least', 1, 'Use 1 or more, or null.'), 'Use 1 or more.'],
  [
    { rule: 'one_of', allowed: ['seller', 'customer'], message: 'Use seller or customer.' },
    'Use one of seller, customer.',
  ],
  [
    numberRule('max_items', 5_000, 'Send at most 5000 keys in a call.'),
    'Name at most 5,000 entries.',
  ],
  [numberRule('min_items', 1, 'Name at least one country.'), 'Name at least 1 entry.'],
  [numberRule('max_length', 256, 'Write 16 to 256 characters.'), 'Write at most 256 characters.'],
  [
    { code: 'OUT_OF_STOCK', available: 2, message: 'Only 2 left of Game; order 2 or fewer.' },
    'Not enough in stock: 2 available.',
  ],
  [{ message: 'Use two capital letters of ISO 3166-1, such as DE.' }, 'Write it in this form: DE'],
])('%o becomes "%s"', (problem, text) => {
  expect(ownText(problem)).toBe(text)
})

test.each<[Json, string]>([
  [
    {
      rule: 'type',
      expected: 'integer',
      message: 'Write a whole number without quotes, not a fraction.',
    },
    'Use a whole number.',
  ],
  [
    {
      field: 'items[0].price_cents',
      rule: 'type',
      expected: 'number',
      message: 'Write a number without quotes, not text.',
    },
    'Write an amount, such as 19.99.',
  ],
  [{ rule: 'required', message: 'Write text in quotes, not null.' }, 'Fill in this field.'],
  [numberRule('at_least', 3, 'Use min_qty or more, or null.'), 'Use 3 or more.'],
  [{ rule: 'at_least', message: 'Use min or more, or null.' }, 'Use min or more, or null.'],
  [
    numberRule('at_least', 3, 'Order 3 or more of this product.'),
    'Order 3 or more of this product.',
  ],
])(
  'a sentence of the API that speaks to programs is replaced in English too: %o',
  (problem, text) => {
    expect(refusalText(problem)).toBe(text)
  },
)
