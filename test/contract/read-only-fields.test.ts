import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openWalk, prepare, rows, send } from './walk.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openWalk()
})
afterAll(() => tradepost.close())

/** A different value of the same type. */
const changed = (value: Json): unknown => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return `${value}x`
  return Array.isArray(value) ? ['x'] : { x: 'x' }
}
const patches = storeEndpoints.filter(({ method }) => method === 'PATCH')

test.each(patches)('$id refuses every field that it only returns, by its name', async (e) => {
  const ask = await prepare(tradepost, e)
  const accepted = new Set(Object.keys((e.body as z.ZodObject).shape))
  const empty = await send(tradepost, e, { ...ask, body: {} })
  const { json } = empty.status === 200 ? empty : await send(tradepost, e, ask)
  const record =
    Object.values<Json>(json).find(
      (item) => item !== null && typeof item === 'object' && !Array.isArray(item),
    ) ?? {}
  const before = await rows(tradepost, tradepost.live.id)
  const readOnly = Object.keys(record).filter((name) => !accepted.has(name))
  // A section of a record, such as its texts, has no id.
  if ('id' in record) expect(readOnly).toContain('id')
  for (const name of [...readOnly, 'store_id', 'id', 'constructor', 'position_', 'deleted_at']) {
    const body = { ...(empty.status !== 200 && ask.body), [name]: changed(record[name]) }
    const answer = await send(tradepost, e, { ...ask, body })
    expect({ name, status: answer.status, field: answer.json.details?.field }).toEqual({
      name,
      status: 422,
      field: name,
    })
  }
  expect(await rows(tradepost, tradepost.live.id)).toEqual(before)
})
