import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { call } from './client.ts'
import { openPlace } from './spawn-server.ts'

const FILES_MAX = 512
const IDLE = 700

test('many idle connections do not harm the embedded database, which shares the limit of open files', async () => {
  const place = await openPlace()
  const idle: Socket[] = []
  try {
    const { origin, live } = await place.start({}, FILES_MAX)
    const door = { origin, store: live.id, key: live.api_key ?? '' }
    const { port } = new URL(origin)
    for (let n = 0; n < IDLE; n++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      idle.push(socket)
      await once(socket, 'connect')
    }
    for (const socket of idle) socket.destroy()
    const body = { name: 'Editor', price_cents: 1999 }
    // The server hears a moment later that they are gone.
    const made = () => call(door, 'POST', '/products', { body })
    expect((await vi.waitFor(made, { timeout: 60_000 })).status).toBe(201)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  } finally {
    for (const socket of idle) socket.destroy()
    await place.close()
  }
}, 120_000)
