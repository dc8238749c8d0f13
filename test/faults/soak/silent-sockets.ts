import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from './chance.ts'

const SOCKETS = 512
const STEP_MS = 250
/** On Linux all of 127.0.0.0/8 is loopback, so the attacker is not the customers' address. */
const ATTACKER = process.platform === 'linux' ? { localAddress: '127.0.0.66' } : {}
const HALF_HEADS = [
  'G',
  'GET /healthz HTTP/1.1\r\nHost: shop',
  'POST /v1/orders HTTP/1.1\r\nHost: shop\r\nContent-Length: 900000\r\nX-Slow: ',
  'POST /v1/orders HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"items":',
]

/**
 * Holds sockets open that say nothing, or begin a head and never end it. Resolves to how many of them the
 * program closed or refused.
 */
export async function holdSilentSockets(
  origin: string,
  chance: Chance,
  hold_ms: number,
): Promise<number> {
  const { port, hostname } = new URL(origin)
  const sockets: Socket[] = []
  let closed = 0
  try {
    for (let number = 0; number < SOCKETS; number++) {
      const socket = connect({ port: Number(port), host: hostname, ...ATTACKER })
      socket.on('error', () => undefined).resume()
      socket.once('close', () => closed++)
      const head = chance.pick(HALF_HEADS)
      if (number % 2 === 1) socket.once('connect', () => socket.write(head))
      sockets.push(socket)
    }
    // A byte now and then keeps a half-sent head alive.
    for (const until = Date.now() + hold_ms; Date.now() < until; ) {
      await pause(STEP_MS)
      const socket = sockets[1 + 2 * chance.below(SOCKETS / 2)]
      if (socket?.writable) socket.write('x')
    }
    return closed
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}
