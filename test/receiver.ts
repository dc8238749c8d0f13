import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { openLocalServer } from './local-server.ts'
import { isReached } from './until.ts'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** A seller's server for webhooks: it stores the requests, and answers as a test says. */
export interface Receiver {
  url: string
  received: Received[]
  /** Sets how requests are answered from now on. */
  answer(respondWith: (response: ServerResponse, received: Received) => void): void
  /** Waits until this many requests arrived. */
  until(count: number, timeout_ms?: number): Promise<Received[]>
  close(): Promise<void>
}

const POLL_MS = 10

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let respond: Parameters<Receiver['answer']>[0] = (response) => response.end('ok')
  const server = await openLocalServer(async (request, response) => {
    const receivedRequest = { headers: request.headers, body: await text(request) }
    received.push(receivedRequest)
    respond(response, receivedRequest)
  })

  return {
    url: `${server.origin}/hook`,
    received,
    answer(respondWith) {
      respond = respondWith
    },
    async until(count, timeout_ms = 60_000) {
      if (!(await isReached(() => received.length >= count, timeout_ms, POLL_MS)))
        throw new Error(`${received.length} of ${count} webhooks arrived.`)
      return received
    },
    close: server.close,
  }
}
