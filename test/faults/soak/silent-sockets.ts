import { connect, type Socket } from 'node:net'
import type { Chance } from '../../chance.mjs'
import { timeLimit } from '../../clock.ts'
import { elapse } from '../../until.ts'

const SOCKETS = 512
const STEP_MS = 250
/** On Linux all of 127.0.0.0/8 is loopback, so the attacker has an address that no customer has. */
const ATTACKER = process.platform === 'linux' ? { localAddress: '127.0.0.66' } : {}
const INCOMPLETE_CALLS = [
  'G',
  'GET /healthz HTTP/1.1\r\nHost: shop',
  'POST /v1/orders HTTP/1.1\r\nHost: shop\r\nContent-Length: 900000\r\nX-Slow: ',
  'POST /v1/orders HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"items":',
]

/**
 * Opens sockets that send nothing or an incomplete call, and closes them after `hold_ms`. Returns the number of
 * sockets that the program refused or closed before that.
 */
export async function holdSilentSockets(
  origin: string,
  chance: Chance,
  hold_ms: number,
): Promise<number> {
  const { port, hostname } = new URL(origin)
  const sockets: Socket[] = []
  const incompleteSockets: Socket[] = []
  let closed = 0
  try {
    for (let number = 0; number < SOCKETS; number++) {
      const socket = connect({ port: Number(port), host: hostname, ...ATTACKER })
      socket.on('error', () => undefined).resume()
      socket.once('close', () => closed++)
      const incompleteCall = chance.pick(INCOMPLETE_CALLS)
      sockets.push(socket)
      if (number % 2 === 0) continue
      socket.once('connect', () => socket.write(incompleteCall))
      incompleteSockets.push(socket)
    }
    // The program must end an incomplete call even if a byte arrives now and then.
    for (const isOver = timeLimit(hold_ms); !isOver(); ) {
      await elapse(STEP_MS)
      const socket = chance.pick(incompleteSockets)
      if (socket.writable) socket.write('x')
    }
    return closed
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}
