import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Json, Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import { fingerprintRows, openUnlimited, prepare, send } from './prepared-calls.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

/** Returns a different value of the same type. */
const changeValue = (value: Json): unknown => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return `${value}x`
  return Array.isArray(value) ? ['x'] : { x: 'x' }
}
const patches = storeEndpoints.filter(({ method }) => method === 'PATCH')

test.each(walk(patches))(
  '$id refuses every read-only field with the name of the field',
  async (endpoint) => {
    const input = await prepare(tradepost, endpoint)
    const writableFields = new Set(Object.keys((endpoint.body as z.ZodObject).shape))
    const emptyChange = await send(tradepost, endpoint, { ...input, body: {} })
    const { json } =
      emptyChange.status === 200 ? emptyChange : await send(tradepost, endpoint, input)
    const record =
      Object.values<Json>(json).find(
        (item) => item !== null && typeof item === 'object' && !Array.isArray(item),
      ) ?? {}
    const before = await fingerprintRows(tradepost, tradepost.live.id)
    const readOnlyFields = Object.keys(record).filter((name) => !writableFields.has(name))
    // An object that is a part of a record has no id.
    if ('id' in record) expect(readOnlyFields).toContain('id')
    for (const name of [
      ...readOnlyFields,
      'store_id',
      'id',
      'constructor',
      'position_',
      'deleted_at',
    ]) {
      const body = {
        ...(emptyChange.status !== 200 && input.body),
        [name]: changeValue(record[name]),
      }
      const answer = await send(tradepost, endpoint, { ...input, body })
      expect({ name, status: answer.status, field: answer.json.details?.field }).toEqual({
        name,
        status: 422,
        field: name,
      })
    }
    expect(await fingerprintRows(tradepost, tradepost.live.id)).toEqual(before)
  },
)
