import fc from 'fast-check'
import { z } from 'zod'
import type { Endpoint } from '../../src/http/endpoint.ts'
import type { Json } from '../harness.ts'

// Creates bodies from the shape of an endpoint: valid, nearly valid, and hostile.

/** Values by field name that a schema cannot give, such as ids of existing products. */
export type Hints = Record<string, fc.Arbitrary<unknown>>

/** An optional field is in 4 of 10 bodies. */
const OPTIONAL_IN_TEN = 4

const text = (min = 0, max = 40): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ minLength: min, maxLength: Math.min(max, min + 40), unit: 'grapheme' }),
    fc.string({ minLength: min, maxLength: Math.min(max, min + 40) }),
    fc.constant('x'.repeat(max)),
  )

const FORMATS: Record<string, fc.Arbitrary<unknown>> = {
  email: fc.emailAddress(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
}

/** Creates values that the schema allows. */
export function validOf(schema: Json, hints: Hints, name = ''): fc.Arbitrary<unknown> {
  const hint = hints[name]
  if (hint) return hint
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((item: Json) => validOf(item, hints)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, hints)
    case 'array':
      return fc.array(validOf(schema.items ?? {}, hints), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      })
    case 'string':
      return stringOf(schema)
    case 'integer':
      return integerOf(schema)
    case 'number':
      return fc.oneof(
        integerOf({ ...schema, maximum: schema.maximum ?? 1e6 }),
        fc.constantFrom(0.01, 12.5, 33.33),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

function stringOf(schema: Json): fc.Arbitrary<unknown> {
  const { format, pattern, minLength, maxLength } = schema
  if (FORMATS[format]) return FORMATS[format]
  return pattern ? fc.stringMatching(new RegExp(pattern)) : text(minLength, maxLength)
}

function integerOf({ minimum, maximum }: Json): fc.Arbitrary<number> {
  const min = Math.max(Math.ceil(minimum ?? Number.MIN_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
  const max = Math.min(maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 100) }), fc.constantFrom(min, max))
}

function objectOf(schema: Json, hints: Hints): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties, propertyNames = {} } = schema
  if (!properties)
    return fc.dictionary(
      text(propertyNames.minLength ?? 1, propertyNames.maxLength ?? 20),
      validOf(additionalProperties ?? {}, hints),
      { maxKeys: 4 },
    )
  const fields = Object.entries<Json>(properties).map(([name, field]) => {
    const value = validOf(field, hints, name)
    return required.includes(name)
      ? value.map((field) => [name, field] as const)
      : fc
          .tuple(fc.nat(9), value)
          .map(([digit, field]) => [name, digit < OPTIONAL_IN_TEN ? field : undefined] as const)
  })
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries))
}

const deep = (levels: number): unknown => (levels === 0 ? 'deep' : [deep(levels - 1)])

/** Unusual values for any field. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    ...[null, true, false, [], {}, [[]], [null], { a: { b: { c: [] } } }, deep(25), deep(40)],
    ...[
      '',
      ' ',
      '\n',
      '\t',
      '\0',
      'a\0b',
      '\u0007',
      '\ud800',
      'x\udfff',
      '\uFEFF',
      '\u202e',
      '\u2028',
    ],
    ...[
      '__proto__',
      'constructor',
      'null',
      'NaN',
      '1',
      '1e3',
      '-1',
      '%00',
      '%s%n',
      '$7*7',
      '💥',
      'İ',
      'ß',
    ],
    ...[
      "'; drop table product; --",
      '" onload="alert(1)',
      '<script>alert(1)</script>',
      '\\',
      '\\u0000',
    ],
    ...[
      '<b><i><a href="javascript:x">'.repeat(3_000),
      '<'.repeat(90_000),
      '&#x0;',
      '<a href="',
      '<!--',
    ],
    ...['x'.repeat(256), 'x'.repeat(100_001), '💥'.repeat(50_000), 'a'.repeat(40) + '@'.repeat(40)],
    ...[
      'http://',
      'https://',
      'https:// ',
      'https://a b',
      'javascript:x',
      'https://[',
      'https://x\n.org',
    ],
    ...['http://127.0.0.1:99999', 'http://127.0.0.1:0/', 'http://u:p@127.0.0.1/', '//127.0.0.1'],
    ...[
      0,
      -0,
      1,
      -1,
      0.1,
      1.005,
      1e-9,
      1e21,
      1e308,
      -1e308,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32,
      2 ** 53,
      2 ** 63,
    ],
    ...[
      -(2 ** 31),
      -(2 ** 53),
      -(2 ** 63),
      Number.MAX_SAFE_INTEGER,
      99_999_999_999,
      100_000_000_000,
    ],
  ),
  fc.constant(Array.from({ length: 10_000 }, (_, n) => n)),
  fc.constant(Array.from({ length: 10_000 }, () => 'x')),
  fc.constant(Array.from({ length: 10_000 }, () => ({}))),
  fc.constant(JSON.parse('{"__proto__": {"admin": true}}')),
  fc.constantFrom({ constructor: 1 }, { toString: 'x' }, { hasOwnProperty: 'x' }, { toJSON: 'x' }),
  fc.constant(Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 'v']))),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

interface Mutation {
  /** Selects the position of the change in the value, modulo the number of positions. */
  choice: number
  kind: 'replace' | 'remove' | 'add' | 'repeat'
  replacement: unknown
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  choice: fc.nat(10_000),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'repeat'),
  replacement: hostile,
})

/** A field of an object, or an item of an array. */
interface Position {
  holder: Json
  key: string | number
}

const ADDED_FIELDS = ['no_such_field', 'id', 'position', 'toString']

function positionsOf(value: Json): Position[] {
  if (value === null || typeof value !== 'object') return []
  return Object.keys(value)
    .slice(0, 200)
    .flatMap((key) => [{ holder: value, key }, ...positionsOf(value[key])])
}

function mutate(value: Json, { choice, kind, replacement }: Mutation): Json {
  const copy = structuredClone(value)
  const positions = positionsOf(copy)
  const position = positions[choice % Math.max(1, positions.length)]
  if (!position || kind === 'add') {
    const name = ADDED_FIELDS[choice % ADDED_FIELDS.length] ?? ''
    Object.assign(position?.holder ?? copy, { [name]: replacement })
  } else if (kind === 'remove') {
    delete position.holder[position.key]
  } else if (kind === 'repeat' && Array.isArray(position.holder)) {
    position.holder.push(...position.holder, ...position.holder)
  } else {
    position.holder[position.key] = replacement
  }
  return copy
}

/** Returns a JSON text with a cut or with bytes that no serializer writes. `choice` selects the change. */
function garble(body: string, choice: number): Buffer {
  const bytes = Buffer.from(body)
  const cut = choice % (bytes.length + 1)
  const [head, tail] = [bytes.subarray(0, cut), bytes.subarray(cut)]
  const noise = [
    Buffer.of(0xff),
    Buffer.of(0),
    Buffer.from('\uFEFF'),
    Buffer.from('"'),
    Buffer.from('{'),
    Buffer.from('\\'),
    Buffer.from('1e999'),
    Buffer.from('\\ud800'),
    Buffer.from('//'),
    Buffer.alloc(0),
  ]
  const addedBytes = noise[choice % noise.length] ?? Buffer.alloc(0)
  const hasTail = choice % 3 !== 0
  return Buffer.concat([head, addedBytes, ...(hasTail ? [tail] : [])])
}

export interface Body {
  kind: 'valid' | 'nearly valid' | 'hostile' | 'garbled'
  bytes: Buffer
}

const asBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? 'null')

/** Returns bodies for an endpoint, even for one without a body shape. */
export function bodiesOf(endpoint: Endpoint, hints: Hints): fc.Arbitrary<Body> {
  const shape = endpoint.body ?? z.strictObject({})
  const schema = z.toJSONSchema(shape, { io: 'input', reused: 'inline', metadata: z.registry() })
  const valid = validOf(schema, hints)
  const body = (kind: Body['kind']) => (bytes: Buffer) => ({ kind, bytes })
  return fc.oneof(
    { weight: 3, arbitrary: valid.map(asBytes).map(body('valid')) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 2 }))
        .map(([value, mutations]) => asBytes(mutations.reduce(mutate, value as Json)))
        .map(body('nearly valid')),
    },
    { weight: 1, arbitrary: hostile.map(asBytes).map(body('hostile')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(valid, fc.nat(100_000))
        .map(([value, choice]) => garble(JSON.stringify(value), choice))
        .map(body('garbled')),
    },
  )
}
