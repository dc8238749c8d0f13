import { z } from 'zod'
import type { RequestShapes } from '../../src/http/read-request.ts'
import type { Json } from '../harness.ts'

// Builds the bodies that are most expensive to check from the shape of an endpoint (decision 120).

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

/** Returns every field within a schema. The step to the elements of a list is 0. */
function fieldsOf(schema: Json, path: Step[] = []): Field[] {
  if (path.length > PATH_MAX) return []
  const { properties = {}, items, additionalProperties: values, anyOf = [], oneOf = [] } = schema
  return [
    { path, schema },
    ...Object.entries<Json>(properties).flatMap(([name, value]) =>
      fieldsOf(value, [...path, name]),
    ),
    ...(items ? fieldsOf(items, [...path, 0]) : []),
    ...(values && typeof values === 'object' ? fieldsOf(values, [...path, 'k']) : []),
    ...[...anyOf, ...oneOf].flatMap((item: Json) => fieldsOf(item, path).slice(1)),
    ...[...anyOf, ...oneOf].flatMap((item: Json) => (item.type ? [{ path, schema: item }] : [])),
  ]
}

/** Returns a JSON text that contains only this field. */
const within = (path: readonly Step[], text: string): string =>
  path.reduceRight<string>(
    (inner, step) => (step === 0 ? `[${inner}]` : `{${JSON.stringify(step)}:${inner}}`),
    text,
  )

const listOf = (count: number, element: string): string =>
  `[${`${element},`.repeat(count).slice(0, -1)}]`

/** The maps built so far. Most endpoints need the same ones, and one of 1 MB takes 20 ms. */
const maps = new Map<string, string>()

function mapOf(count: number, value: string, prefix = ''): string {
  const name = `${count} ${value} ${prefix}`
  const known = maps.get(name)
  if (known !== undefined) return known
  const keys = Array.from({ length: count }, (_, at) => `"${prefix}${at.toString(36)}":${value}`)
  const map = `{${keys.join()}}`
  maps.set(name, map)
  return map
}

/** Returns the number of elements of this size that fill the body. */
const countToFill = (bytes_max: number, elementBytes: number): number =>
  Math.floor((bytes_max * 0.9) / elementBytes)

function bodiesOfField({ path, schema }: Field, bytes_max: number): [string, string][] {
  const { type, maxItems = 100, maxProperties = 100, properties } = schema
  if (path.length === 0) return []
  if (type === 'array') {
    const invalidEntry = mapOf(9, '0', 'no_such_field_')
    const count = Math.min(maxItems, countToFill(bytes_max, invalidEntry.length + 1))
    return [
      ['too many entries', listOf(countToFill(bytes_max, 2), '0')],
      ['too many objects', listOf(countToFill(bytes_max, 3), '{}')],
      ['the allowed number of entries, all invalid', listOf(count, invalidEntry)],
      [
        'the allowed number of entries, all null',
        listOf(Math.min(maxItems, bytes_max / 6), 'null'),
      ],
    ]
  }
  if (type === 'object' && !properties) {
    const long = 'x'.repeat(Math.min(5_000, countToFill(bytes_max, maxProperties + 1)))
    return [
      ['too many keys', mapOf(countToFill(bytes_max, 9), '0')],
      ['the allowed number of keys, all long', mapOf(maxProperties, '0', long)],
    ]
  }
  return []
}

function bodiesOfRoot(bytes_max: number, strings: string[]): [string, string][] {
  const long = 'x'.repeat(countToFill(bytes_max, 1))
  const textOfTags = '<b>'.repeat(countToFill(bytes_max, 3 * Math.max(1, strings.length)))
  const tags = '<b>'.repeat(Math.min(33_000, countToFill(bytes_max, 3)))
  const levels = countToFill(bytes_max, 2)
  return [
    ['unknown fields', mapOf(countToFill(bytes_max, 9), '0')],
    ['some unknown fields', mapOf(Math.min(9_900, countToFill(bytes_max, 9)), '0', 'pric')],
    ['a long name', `{"${long}":1}`],
    [
      'names that are escaped',
      `{${listOf(countToFill(bytes_max, 8), '"\\u0061":0').slice(1, -1)}}`,
    ],
    ['text that is escaped', `{"text":"${'\\u0041'.repeat(countToFill(bytes_max, 6))}"}`],
    ['long texts', `{${strings.map((name) => `"${name}":"${textOfTags}"`).join()}}`],
    ...strings.map((name): [string, string] => [`tags in ${name}`, `{"${name}":"${tags}"}`]),
    ['deep', `{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`],
    ['objects', `{"many":${listOf(Math.min(49_000, countToFill(bytes_max, 3)), '{}')}}`],
    [
      'deep objects',
      `{"many":${listOf(countToFill(bytes_max, 190), '{"a":'.repeat(30) + '0'.padEnd(31, '}'))}}`,
    ],
  ]
}

/** Returns the worst bodies of an endpoint, up to a size. */
export function worstBodiesOf({ body = z.strictObject({}) }: RequestShapes, bytes_max: number) {
  const schema = z.toJSONSchema(body, {
    io: 'input',
    reused: 'inline',
    metadata: z.registry(),
  }) as Json
  const fields = fieldsOf(schema)
  const isText = ({ type, anyOf = [] }: Json) =>
    type === 'string' || anyOf.some((item: Json) => item.type === 'string')
  const strings = Object.entries<Json>(schema.properties ?? {})
    .filter(([, item]) => isText(item))
    .map(([name]) => name)
  const tagsInInnerFields = fields
    .filter(({ path, schema }) => path.length > 1 && schema.type === 'string')
    .map(({ path }): [string, string] => [
      `tags in ${path.join('.')}`,
      within(path, `"${'<b>'.repeat(Math.min(33_000, countToFill(bytes_max, 3)))}"`),
    ])
  const bodies = [
    ...bodiesOfRoot(bytes_max, strings),
    ...tagsInInnerFields,
    ...fields.flatMap((field) =>
      bodiesOfField(field, bytes_max).map(([name, text]): [string, string] => [
        `${name} in ${field.path.join('.')}`,
        within(field.path, text),
      ]),
    ),
  ]
  return bodies.map(([name, text]): WorstBody => ({ name, bytes: Buffer.from(text) }))
}
