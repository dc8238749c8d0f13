import { z } from 'zod'
import type { Shapes } from '../../src/http/read-request.ts'
import type { Json } from '../harness.ts'

/** The bodies that are most expensive to validate, built from an endpoint's shape (decision 120). */

export interface WorstBody {
  name: string
  bytes: Buffer
}

type Step = string | 0
interface Field {
  path: Step[]
  schema: Json
}

const PATH_MAX = 6

/** Every field within a schema; the elements of a list have the step 0. */
function fieldsOf(schema: Json, path: Step[] = []): Field[] {
  if (path.length > PATH_MAX) return []
  const { properties = {}, items, additionalProperties: values, anyOf = [], oneOf = [] } = schema
  return [
    { path, schema },
    ...Object.entries<Json>(properties).flatMap(([name, one]) => fieldsOf(one, [...path, name])),
    ...(items ? fieldsOf(items, [...path, 0]) : []),
    ...(values && typeof values === 'object' ? fieldsOf(values, [...path, 'k']) : []),
    ...[...anyOf, ...oneOf].flatMap((item: Json) => fieldsOf(item, path).slice(1)),
    ...[...anyOf, ...oneOf].flatMap((item: Json) => (item.type ? [{ path, schema: item }] : [])),
  ]
}

/** JSON text that contains only this field. */
const within = (path: readonly Step[], text: string): string =>
  path.reduceRight<string>(
    (inner, step) => (step === 0 ? `[${inner}]` : `{${JSON.stringify(step)}:${inner}}`),
    text,
  )

const listOf = (count: number, element: string): string =>
  `[${Array.from({ length: count }, () => element).join()}]`

const mapOf = (count: number, value: string, prefix = ''): string =>
  `{${Array.from({ length: count }, (_, at) => `"${prefix}${at.toString(36)}":${value}`).join()}}`

/** The number of elements of this text that fill the body. */
const filling = (bytes_max: number, each: number): number => Math.floor((bytes_max * 0.9) / each)

function inField({ path, schema }: Field, bytes_max: number): [string, string][] {
  const { type, maxItems = 100, maxProperties = 100, properties } = schema
  if (path.length === 0) return []
  if (type === 'array') {
    const wrong = mapOf(9, '0', 'no_such_field_')
    const some = Math.min(maxItems, filling(bytes_max, wrong.length + 1))
    return [
      ['too many entries', listOf(filling(bytes_max, 2), '0')],
      ['too many objects', listOf(filling(bytes_max, 3), '{}')],
      ['as many as may be, all wrong', listOf(some, wrong)],
      ['as many as may be, all null', listOf(Math.min(maxItems, bytes_max / 6), 'null')],
    ]
  }
  if (type === 'object' && !properties) {
    const long = 'x'.repeat(Math.min(5_000, filling(bytes_max, maxProperties + 1)))
    return [
      ['too many keys', mapOf(filling(bytes_max, 9), '0')],
      ['as many keys as may be, all long', mapOf(maxProperties, '0', long)],
    ]
  }
  return []
}

function atTheRoot(bytes_max: number, strings: string[]): [string, string][] {
  const long = 'x'.repeat(filling(bytes_max, 1))
  const each = '<b>'.repeat(filling(bytes_max, 3 * Math.max(1, strings.length)))
  const tags = '<b>'.repeat(Math.min(33_000, filling(bytes_max, 3)))
  const levels = filling(bytes_max, 2)
  return [
    ['unknown fields', mapOf(filling(bytes_max, 9), '0')],
    ['some unknown fields', mapOf(Math.min(9_900, filling(bytes_max, 9)), '0', 'pric')],
    ['a long name', `{"${long}":1}`],
    ['names that are escaped', `{${listOf(filling(bytes_max, 8), '"\\u0061":0').slice(1, -1)}}`],
    ['text that is escaped', `{"text":"${'\\u0041'.repeat(filling(bytes_max, 6))}"}`],
    ['long texts', `{${strings.map((name) => `"${name}":"${each}"`).join()}}`],
    ...strings.map((name): [string, string] => [`tags in ${name}`, `{"${name}":"${tags}"}`]),
    ['deep', `{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`],
    ['objects', `{"many":${listOf(Math.min(49_000, filling(bytes_max, 3)), '{}')}}`],
    [
      'deep objects',
      `{"many":${listOf(filling(bytes_max, 190), '{"a":'.repeat(30) + '0'.padEnd(31, '}'))}}`,
    ],
  ]
}

export function worstBodiesOf({ body = z.strictObject({}) }: Shapes, bytes_max: number) {
  const schema = z.toJSONSchema(body, {
    io: 'input',
    reused: 'inline',
    metadata: z.registry(),
  }) as Json
  const fields = fieldsOf(schema)
  const isText = ({ type, anyOf = [] }: Json) =>
    type === 'string' || anyOf.some((item: Json) => item.type === 'string')
  const strings = Object.entries<Json>(schema.properties ?? {})
    .filter(([, one]) => isText(one))
    .map(([name]) => name)
  const deeper = fields
    .filter(({ path, schema }) => path.length > 1 && schema.type === 'string')
    .map(({ path }): [string, string] => [
      `tags in ${path.join('.')}`,
      within(path, `"${'<b>'.repeat(Math.min(33_000, filling(bytes_max, 3)))}"`),
    ])
  const bodies = [
    ...atTheRoot(bytes_max, strings),
    ...deeper,
    ...fields.flatMap((field) =>
      inField(field, bytes_max).map(([name, text]): [string, string] => [
        `${name} in ${field.path.join('.')}`,
        within(field.path, text),
      ]),
    ),
  ]
  return bodies.map(([name, text]): WorstBody => ({ name, bytes: Buffer.from(text) }))
}
