import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EarlyListener, openEarlyListener } from '../../src/http/early-listener.ts'
import { renderStoreRefusal } from '../../src/surfaces/store-api.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let listener: EarlyListener
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  listener = await openEarlyListener({ host: '127.0.0.1', port: 0 }, renderStoreRefusal)
  await listener.open(tradepost.server)
})
afterAll(async () => {
  await listener.close()
  await tradepost.close()
})

describe('an upload with Expect: 100-continue', () => {
  /** Sends a head, and the body after `100 Continue`. Returns all bytes that the server sends. */
  async function sendUpload(head: string[], body: string): Promise<string> {
    const socket = connect(listener.port, '127.0.0.1')
    let output = ''
    socket.on('data', (chunk) => {
      output += chunk
      if (output === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
      if (/^HTTP\/1.1 2/m.test(output)) socket.end()
    })
    const lines = ['Host: shop', `Authorization: Bearer ${seller.key}`, 'Expect: 100-continue']
    const type = 'Content-Type: application/octet-stream'
    socket.write([...head, ...lines, type, '', ''].join('\r\n'))
    await once(socket, 'close')
    return output
  }
  const requestLine = (name: string) => `POST ${BASE}/serverside-files?name=${name} HTTP/1.1`

  test('gets 100 Continue and is stored', async () => {
    const output = await sendUpload([requestLine('accepted'), 'Content-Length: 5'], 'bytes')
    expect(output).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
  })

  test('and Connection: close is stored, and its connection is closed', async () => {
    const output = await sendUpload(
      [requestLine('last'), 'Content-Length: 5', 'Connection: close'],
      'bytes',
    )
    expect(output).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
    expect(output).toMatch(/^connection: close\r$/im)
  })

  test('that is refused is answered before its body is sent, and its connection is closed', async () => {
    const output = await sendUpload([requestLine('large'), 'Content-Length: 104857601'], 'bytes')
    expect(output).toMatch(/^HTTP\/1.1 413 /)
    expect(output).toMatch(/^connection: close\r$/im)
    const unknown = await sendUpload(
      [`POST ${BASE}/nothing HTTP/1.1`, 'Content-Length: 5'],
      'bytes',
    )
    expect(unknown).toMatch(/^HTTP\/1.1 404 /)
    expect(unknown).toMatch(/^connection: close\r$/im)
  })
})
