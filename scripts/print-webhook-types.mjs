// Prints the types of all webhook events from their shapes: sdk/webhooks/events.gen.ts.
// With --check it fails where the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { EVENT_TYPES, PUBLIC_EVENTS } from '../dist/events/types.js'

const FILE = new URL('../sdk/webhooks/events.gen.ts', import.meta.url)

/** @typedef {Record<string, any>} Schema */

/** @param {Schema} schema @param {string} indent @returns {string} */
function typeOf(schema, indent) {
  if (schema.anyOf)
    return schema.anyOf.map((/** @type {Schema} */ one) => typeOf(one, indent)).join(' | ')
  if (schema.const !== undefined) return `'${schema.const}'`
  if (schema.type === 'array') return `${bracketed(typeOf(schema.items, indent))}[]`
  if (schema.type === 'object') return objectOf(schema, indent)
  return [schema.type ?? 'unknown'].flat().map(plain).join(' | ')
}

/** @param {string} type */
const plain = (type) => (type === 'integer' ? 'number' : type)

/** @param {string} type */
const bracketed = (type) => (type.includes(' | ') ? `(${type})` : type)

/** @param {Schema} schema @param {string} indent */
function objectOf(schema, indent) {
  if (!schema.properties) return 'Record<string, unknown>'
  const inner = `${indent}  `
  const lines = Object.entries(schema.properties).flatMap(([name, property]) => [
    ...(property.description ? [`${inner}/** ${property.description} */`] : []),
    `${inner}${name}: ${typeOf(property, inner)}`,
  ])
  return `{\n${lines.join('\n')}\n${indent}}`
}

const lines = [
  '// Written by `npm run sdk:types` from the shapes of the events. Do not edit.',
  '',
  '/** What every event has around its object. */',
  'interface Envelope<T extends string, O> {',
  '  /** Discard doubles by it. */',
  '  id: string',
  "  object: 'event'",
  '  type: T',
  '  /** Unix seconds. */',
  '  created: number',
  '  livemode: boolean',
  '  store: { id: string; name: string; slug: string }',
  '  data: { object: O }',
  '}',
  '',
  '/** `data.object` by type. Amounts are decimals in major units. */',
  'export interface WebhookObjects {',
]
for (const type of EVENT_TYPES) {
  const schema = z.toJSONSchema(PUBLIC_EVENTS[type].shape, { io: 'input' })
  lines.push(`  /** ${PUBLIC_EVENTS[type].description} */`, `  '${type}': ${typeOf(schema, '  ')}`)
}
lines.push(
  '}',
  '',
  'export type WebhookEventType = keyof WebhookObjects',
  '',
  '/** An event, told apart by its `type`. */',
  'export type WebhookEvent = {',
  '  [T in WebhookEventType]: Envelope<T, WebhookObjects[T]>',
  '}[WebhookEventType]',
  '',
)
const text = lines.join('\n')

if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('sdk/webhooks/events.gen.ts is stale: run `npm run sdk:types`.\n')
  process.exitCode = 1
}
