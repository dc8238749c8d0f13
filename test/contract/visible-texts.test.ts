import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireRecord } from '../../src/kernel/errors.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Tradepost } from '../harness.ts'
import { openUnlimited, prepare, send } from './prepared-calls.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

const BLANK = ' \n\t\u200b\u202e'

test.each([
  ['reviews.put_reply', 'reply'],
  ['reviews.report', 'reason'],
  ['questions.create', 'body'],
  ['questions.answer', 'body'],
  ['tickets.create', 'message'],
  ['tickets.post_message', 'body'],
  ['account.fail_withdrawal', 'reason'],
])('%s refuses a %s without a visible character', async (id, field) => {
  const endpoint = requireRecord(
    storeEndpoints.find((item) => item.id === id),
    'Endpoint',
  )
  const input = await prepare(tradepost, endpoint)
  const { status, json } = await send(tradepost, endpoint, {
    ...input,
    body: { ...input.body, [field]: BLANK },
  })
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
  expect((await send(tradepost, endpoint, input)).status).toBeLessThan(300)
})
