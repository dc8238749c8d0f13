// Receivers for tests, over TCP or TLS; each test controls every byte of the answer.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

interface Receiver {
  port: number
  /** All bytes received, one entry for each connection. */
  received: string[]
  close(): Promise<void>
}

const TLS_HANDSHAKE = 0x16

/** Calls `answer` when the head of a request or a TLS greeting has arrived; `nth` counts from 1. */
export function startReceiver(
  answer: (socket: Socket, nth: number) => void,
  tls?: TlsOptions,
  host = '127.0.0.1',
): Promise<Receiver> {
  const receivedTexts: string[] = []
  const sockets = new Set<Socket>()
  let requests = 0
  const accept = (socket: Socket) => {
    const connection = receivedTexts.push('') - 1
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      receivedTexts[connection] += bytes.toString('latin1')
      if (bytes.includes('POST ') || bytes[0] === TLS_HANDSHAKE) answer(socket, ++requests)
    })
  }
  const server = tls ? createTlsServer(tls, accept) : createServer(accept)
  server.on('tlsClientError', () => undefined)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  return listen(server, host).then((port) => ({
    port,
    received: receivedTexts,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }))
}

const listen = (server: Server, host: string): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port)),
  )
