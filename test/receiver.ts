import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** A seller's server: keeps raw requests, and answers as configured. */
export interface Receiver {
  url: string
  received: Received[]
  /** Answers from now on. */
  answer(with_: (response: ServerResponse, received: Received) => void): void
  /** Waits until so many arrived. */
  until(count: number, timeout_ms?: number): Promise<Received[]>
  close(): Promise<void>
}

const LOOK_MS = 10

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let respond: Parameters<Receiver['answer']>[0] = (response) => response.end('ok')
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    received.push(one)
    respond(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer(with_) {
      respond = with_
    },
    async until(count, timeout_ms = 60_000) {
      const end = Date.now() + timeout_ms
      while (received.length < count) {
        if (Date.now() > end) throw new Error(`${received.length} of ${count} webhooks arrived.`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
      return received
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
