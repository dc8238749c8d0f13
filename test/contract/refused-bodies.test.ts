import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EarlyListener, openEarlyListener } from '../../src/http/early-listener.ts'
import { renderByPath } from '../../src/surfaces/server.ts'
import { signedIn } from '../browser-session.ts'
import { formOf } from '../form.ts'
import type { Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// A caller gets the answer to a refused body while it is still sending it (decision 401).

const MIB = 1024 * 1024

let tradepost: Tradepost
let listener: EarlyListener
let filesPath: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  listener = await openEarlyListener({ host: '127.0.0.1', port: 0 }, renderByPath)
  await listener.open(tradepost.server)
  const { product } = (await tradepost.post('/products', { name: 'Ebook', price_cents: 1 })).json
  filesPath = `/v1/products/${product.id}`
})
afterAll(async () => {
  await listener.close()
  await tradepost.close()
})

interface Outcome {
  answer: string
  sent_bytes: number
  error: string | undefined
}

const head = (lines: string[]): string => [...lines, 'host: x', '', ''].join('\r\n')

/** Sends all these bytes, whatever the server answers. Resolves when the server has closed the connection. */
function sendWhole(
  path: string,
  headers: string[],
  body: Buffer,
  furtherCall: string,
): Promise<Outcome> {
  const socket = connect(listener.port, '127.0.0.1')
  const outcome: Outcome = { answer: '', sent_bytes: 0, error: undefined }
  const keys = [`x-api-key: ${tradepost.live.api_key}`, `x-store-hash: ${tradepost.live.id}`]
  const length = `content-length: ${body.length}`
  socket.write(head([`POST ${path} HTTP/1.1`, ...keys, length, ...headers]))
  const sendRest = () => {
    while (outcome.sent_bytes < body.length) {
      const chunk = body.subarray(outcome.sent_bytes, outcome.sent_bytes + 64 * 1024)
      outcome.sent_bytes += chunk.length
      if (!socket.write(chunk)) return void socket.once('drain', sendRest)
    }
    socket.write(furtherCall)
  }
  sendRest()
  socket.on('data', (bytes) => {
    outcome.answer += bytes
  })
  socket.on('error', ({ message }) => {
    outcome.error = message
  })
  return new Promise((resolve) => socket.on('close', () => resolve(outcome)))
}

const json = 'content-type: application/json'
const form = formOf([{ bytes: Buffer.alloc(60 * MIB) }])
const formType = `content-type: ${form.headers['content-type']}`

describe.each([
  { connection: 'close', furtherCall: '', statuses: ['413'] },
  {
    connection: 'keep-alive',
    furtherCall: head(['GET /v1/account HTTP/1.1', 'connection: close']),
    statuses: ['413', '401'],
  },
])('with Connection: $connection', ({ connection, furtherCall, statuses }) => {
  test.each([
    ['a JSON body over 1 MiB', () => '/v1/products', json, Buffer.alloc(16 * MIB, ' ')],
    ['a form over 50 MiB', () => `${filesPath}/files`, formType, form.raw],
  ])(
    '%s is sent to its end and answered, as is a further call',
    async (_name, path, type, body) => {
      const headers = [type, `connection: ${connection}`]
      const { answer, sent_bytes, error } = await sendWhole(path(), headers, body, furtherCall)
      expect([error, sent_bytes]).toEqual([undefined, body.length])
      expect(Array.from(answer.matchAll(/HTTP\/1.1 (\d+)/g), ([, status]) => status)).toEqual(
        statuses,
      )
      expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"')
    },
  )
})

test('a file over the limit is listed in the request log with the address of its caller', async () => {
  const { raw, headers } = formOf([{ bytes: Buffer.alloc(50 * MIB + 48 * 1024) }])
  const callHeaders = {
    'x-api-key': String(tradepost.live.api_key),
    'x-store-hash': tradepost.live.id,
    ...headers,
  }
  const url = `http://127.0.0.1:${listener.port}${filesPath}/files`
  const answer = await fetch(url, { method: 'POST', headers: callHeaders, body: raw })
  expect(answer.status, await answer.text()).toBe(413)
  await tradepost.authentication.flush()
  const owner = await signedIn(tradepost)
  const { calls } = (await owner.get(`/stores/${tradepost.live.id}/v1/account/calls?limit=1`)).json
  expect(calls[0]).toMatchObject({ status: 413, address: '127.0.0.1', path: `${filesPath}/files` })
})
