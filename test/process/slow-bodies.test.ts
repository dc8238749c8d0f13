import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMigratedInstallation, type Installation, type Server } from './spawn-server.ts'

let installation: Installation
let server: Server

beforeAll(async () => {
  installation = await createMigratedInstallation()
  server = await installation.start()
})
afterAll(() => installation.close())

interface Refusal {
  status: string
  after_s: number
}

/** Sends the head of a call and one byte of its body. Resolves when the server closes the connection. */
function sendIncompleteCall(path: string, headers: Record<string, string>): Promise<Refusal> {
  const startedAt = performance.now()
  const lines = Object.entries({ host: 'x', 'content-length': '1000', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n{`)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  socket.on('error', () => undefined)
  return new Promise((resolve) =>
    socket.on('close', () =>
      resolve({ status: text.slice(9, 12), after_s: (performance.now() - startedAt) / 1000 }),
    ),
  )
}

test('a body that never ends is refused with 408: after 15 s for client programs, 30 s for an upload, 60 s for the Store API (decision 120)', async () => {
  const { id = '', api_key = '', security_key = '', app_public_id } = server.live
  const json = { 'content-type': 'application/json' }
  const [runtime, store, upload] = await Promise.all([
    sendIncompleteCall(`/security/v1/client/${app_public_id}/validate`, {
      ...json,
      'client-nonce': 'A'.repeat(22),
    }),
    sendIncompleteCall('/v1/products', { ...json, 'x-api-key': api_key, 'x-store-hash': id }),
    sendIncompleteCall('/security/v1/serverside-files?name=slow', {
      'content-type': 'application/octet-stream',
      authorization: `Bearer ${security_key}`,
    }),
  ])
  expect([runtime.status, store.status, upload.status]).toEqual(['408', '408', '408'])
  expect(runtime.after_s).toBeGreaterThan(14.9)
  expect(store.after_s).toBeGreaterThan(59.9)
  expect(upload.after_s).toBeGreaterThan(29)
  // No upper limit in seconds, because the machine may be slow.
  expect(runtime.after_s).toBeLessThan(upload.after_s)
  expect(upload.after_s).toBeLessThan(store.after_s)
})
