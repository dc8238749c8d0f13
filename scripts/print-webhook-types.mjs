// Prints the types of all webhook events from their shapes: sdk/webhooks/events.gen.ts.
// With --check it fails if the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { EVENT_TYPES, PUBLIC_EVENTS } from '../dist/events/types.js'
import { typeOf } from './type-printer.mjs'

const FILE = new URL('../sdk/webhooks/events.gen.ts', import.meta.url)

/** @typedef {Record<string, any>} Schema */

/** The schema of `data.object` of each event. */
const schemas = EVENT_TYPES.map((type) => ({
  type,
  description: PUBLIC_EVENTS[type].description,
  schema: /** @type {Schema} */ (z.toJSONSchema(PUBLIC_EVENTS[type].shape, { io: 'input' })),
}))

/** Returns the name of the record type: `AffiliatePayoutObject` for `affiliate_payout`. @param {Schema} schema */
const recordTypeOf = ({ properties }) =>
  `${properties.object.const.replace(/(?:^|_)(.)/g, (/** @type {string} */ _, /** @type {string} */ letter) => letter.toUpperCase())}Object`

/** Returns the schema of an object with a part of the properties. @param {Schema} properties @param {(name: string) => boolean} isIncluded */
const pickProperties = (properties, isIncluded) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isIncluded(name))),
  required: Object.keys(properties).filter(isIncluded),
})

/** The properties that all events of a record type share, by record type. @type {Map<string, Schema>} */
const recordTypes = new Map()
for (const { schema } of schemas) {
  const name = recordTypeOf(schema)
  const sharedSoFar = recordTypes.get(name)?.properties ?? schema.properties
  const isShared = (/** @type {string} */ property) =>
    JSON.stringify(sharedSoFar[property]) === JSON.stringify(schema.properties[property])
  recordTypes.set(name, pickProperties(sharedSoFar, isShared))
}

/** Returns the record type with the properties that only this event has. @param {Schema} schema */
function eventOf(schema) {
  const name = recordTypeOf(schema)
  const shared = recordTypes.get(name)?.properties ?? {}
  const own = pickProperties(schema.properties, (property) => !(property in shared))
  return Object.keys(own.properties).length === 0 ? name : `${name} & ${typeOf(own, '  ')}`
}

const lines = [
  '// Written by `npm run sdk:types` from the shapes of the events. Do not edit.',
  '',
  '/** The fields that every event has. */',
  'interface Envelope<T extends string, O> {',
  '  /** The id of the event, by which duplicates can be discarded. */',
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
  ...[...recordTypes].flatMap(([name, schema]) => [
    `export interface ${name} ${typeOf(schema)}`,
    '',
  ]),
  '/** `data.object` by type. Amounts are decimals in major units. */',
  'export interface WebhookObjects {',
  ...schemas.flatMap(({ type, description, schema }) => [
    `  /** ${description} */`,
    `  '${type}': ${eventOf(schema)}`,
  ]),
  '}',
  '',
  'export type WebhookEventType = keyof WebhookObjects',
  '',
  '/** An event. Its `type` determines its object. */',
  'export type WebhookEvent = {',
  '  [T in WebhookEventType]: Envelope<T, WebhookObjects[T]>',
  '}[WebhookEventType]',
  '',
]
const text = lines.join('\n')

if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('sdk/webhooks/events.gen.ts is stale: run `npm run sdk:types`.\n')
  process.exitCode = 1
}
