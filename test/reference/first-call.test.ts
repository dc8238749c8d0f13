import { expect, onTestFinished, test } from 'vitest'
import { EVENT_DOCUMENTATION } from '../../src/events/documentation.ts'
import { printOpenApi } from '../../src/http/openapi/print.ts'
import { openDocuments } from '../../src/surfaces/documents.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { longestTurn, ratioToParsing } from '../contract/thread-time.ts'
import { openTradepost } from '../harness.ts'

/** Parsing 5 MiB of small objects, as for the largest bodies. */
const TURN_MAX = 5

test.each(['/openapi.json', '/security/openapi.json', '/docs', '/docs/store/orders'])(
  'the first call of %s holds the event loop no longer than any other call (decision 248)',
  async (url) => {
    const first = async () => {
      const tradepost = await openTradepost()
      onTestFinished(() => tradepost.close())
      let status = 0
      const turn = await longestTurn(async () => {
        status = (await tradepost.server.inject({ method: 'GET', url })).statusCode
      })
      expect(status).toBe(200)
      return turn
    }
    expect(await ratioToParsing(first, TURN_MAX)).toBeLessThanOrEqual(TURN_MAX)
  },
)

test('a document that is printed in slices is the same, byte for byte', async () => {
  const options = { serverUrl: 'http://127.0.0.1/v1', version: '1', ...EVENT_DOCUMENTATION }
  const atOnce = printOpenApi(storeEndpoints, options)
  const inSlices = await openDocuments('1', 'http://127.0.0.1/v1').store()
  expect(JSON.stringify(inSlices)).toBe(JSON.stringify(atOnce))
})
