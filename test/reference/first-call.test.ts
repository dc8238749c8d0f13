import { expect, onTestFinished, test } from 'vitest'
import { EVENT_DOCUMENTATION } from '../../src/events/documentation.ts'
import { printOpenApi } from '../../src/http/openapi/print.ts'
import { openDocuments } from '../../src/surfaces/documents.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { longestTurn, ratioToParsing } from '../contract/thread-time.ts'
import { openTradepost } from '../harness.ts'

/** A turn of the event loop may take as long as parsing 5 MiB of small objects. */
const TURN_MAX = 5

test.each(['/openapi.json', '/security/openapi.json', '/docs', '/docs/store/orders'])(
  'the first call of %s blocks the event loop no longer than parsing 5 MiB of JSON',
  async (url) => {
    const measureFirstCall = async () => {
      const tradepost = await openTradepost()
      onTestFinished(() => tradepost.close())
      let status = 0
      const turn = await longestTurn(async () => {
        status = (await tradepost.server.inject({ method: 'GET', url })).statusCode
      })
      expect(status).toBe(200)
      return turn
    }
    expect(await ratioToParsing(measureFirstCall, TURN_MAX)).toBeLessThanOrEqual(TURN_MAX)
  },
)

test('an OpenAPI document that is printed in slices equals the one that is printed at once', async () => {
  const options = { serverUrl: 'http://127.0.0.1/v1', version: '1', ...EVENT_DOCUMENTATION }
  const atOnce = printOpenApi(storeEndpoints, options)
  const inSlices = await openDocuments('1', 'http://127.0.0.1/v1').store()
  expect(JSON.stringify(inSlices)).toBe(JSON.stringify(atOnce))
})
