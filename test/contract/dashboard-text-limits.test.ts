import { expect, test } from 'vitest'
import {
  BAN_REASON_MAX,
  COUPON_CODE_MAX,
  LINK_CODE_MAX,
  LONG_NOTE_MAX,
  NAME_MAX,
  NOTE_MAX,
  TEXT_MAX,
} from '../../dashboard/src/kit/text-limits.ts'
import { openDocuments } from '../../src/surfaces/documents.ts'

// The dashboard refuses a text that is too long before it is sent, by the limits of the API.

type Schema = Record<string, unknown>

/** The maximum lengths of the texts in the bodies of the API, by the names of their fields. */
async function limits(): Promise<Map<string, Set<number>>> {
  const documents = openDocuments('', 'http://localhost/v1')
  const found = new Map<string, Set<number>>()
  for (const read of [documents.store, documents.security]) {
    const document = (await read()) as Schema
    const at = (schema: Schema): Schema =>
      typeof schema.$ref === 'string'
        ? (schema.$ref
            .split('/')
            .slice(1)
            .reduce<unknown>((part, key) => (part as Schema)[key], document) as Schema)
        : schema
    const collect = (schema: Schema) => {
      const {
        properties = {},
        anyOf = [],
        oneOf = [],
        allOf = [],
        items,
      } = at(schema) as Record<string, never>
      for (const [name, property] of Object.entries(properties) as [string, Schema][]) {
        const { maxLength } = at(property)
        const known = found.get(name) ?? new Set()
        if (typeof maxLength === 'number') found.set(name, known.add(maxLength))
        collect(property)
      }
      for (const part of [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])]) collect(part)
    }
    for (const path of Object.values(document.paths as Schema))
      for (const operation of Object.values(path as Schema)) {
        const { requestBody } = operation as { requestBody?: { content: Record<string, Schema> } }
        const schema = requestBody?.content['application/json']?.schema
        if (schema) collect(schema as Schema)
      }
  }
  return found
}

test('each text has the one limit that the API has for the name of its field', async () => {
  const known = await limits()
  const shown = Object.fromEntries(
    Object.keys(TEXT_MAX).map((name) => [name, [...(known.get(name) ?? [])]]),
  )
  const expected = Object.fromEntries(Object.entries(TEXT_MAX).map(([name, max]) => [name, [max]]))
  expect(shown).toEqual(expected)
  expect([...(known.get('name') ?? [])]).toContain(NAME_MAX)
  expect([...(known.get('note') ?? [])]).toEqual(expect.arrayContaining([NOTE_MAX, LONG_NOTE_MAX]))
  expect([...(known.get('reason') ?? [])]).toContain(BAN_REASON_MAX)
  expect([...(known.get('code') ?? [])].sort()).toEqual([LINK_CODE_MAX, COUPON_CODE_MAX])
})
