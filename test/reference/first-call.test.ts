import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_DOCUMENTATION } from '../../src/events/documentation.ts'
import { printOpenApi } from '../../src/http/openapi/print.ts'
import { openDocuments } from '../../src/surfaces/documents.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { longestTurn } from '../contract/thread-time.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

const MIB = 1024 * 1024
const TURN_MAX_MS = 50

let tradepost: Tradepost
let turnMax: number

beforeAll(async () => {
  tradepost = await openTradepost()
  const dense = `[${'{},'.repeat(MIB / 3 - 1)}{}]`
  turnMax = Math.max(TURN_MAX_MS, 2 * (await longestTurn(() => JSON.parse(dense))))
})
afterAll(() => tradepost.close())

test.each(['/openapi.json', '/security/openapi.json', '/docs', '/docs/store/orders'])(
  'the first call of %s holds the event loop no longer than any other call (decision 248)',
  async (url) => {
    let status = 0
    const turn = await longestTurn(async () => {
      status = (await tradepost.server.inject({ method: 'GET', url })).statusCode
    })
    expect(status).toBe(200)
    expect(turn).toBeLessThan(turnMax)
  },
)

test('a document that is printed in slices is the same, byte for byte', async () => {
  const options = { serverUrl: 'http://127.0.0.1/v1', version: '1', ...EVENT_DOCUMENTATION }
  const atOnce = printOpenApi(storeEndpoints, options)
  const inSlices = await openDocuments('1', 'http://127.0.0.1/v1').store()
  expect(JSON.stringify(inSlices)).toBe(JSON.stringify(atOnce))
})
