import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestBrowser } from './browser-session.ts'
import type { Json, Tradepost } from './harness.ts'
import { isReached } from './until.ts'

interface StreamMessage {
  event: string
  id: number | undefined
  data: Json
}

/** A stream of live updates, read over a real socket. */
export interface EventStream {
  status: number
  headers: IncomingMessage['headers']
  messages: StreamMessage[]
  /** Everything that was received. */
  text: string
  ended: Promise<void>
  /** Waits for a matching message of a type, removes it from `messages`, and returns it. */
  next(event: string, matches?: (data: Json) => boolean): Promise<Json>
  close(): void
}

const MESSAGE_TIMEOUT_MS = 60_000

/** Starts to listen if necessary, and returns the port. */
export async function listen(tradepost: Tradepost): Promise<number> {
  const { server } = tradepost
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as AddressInfo).port
}

/** Sends the request of a stream without waiting for its answer. */
export function sendStreamRequest(
  port: number,
  { cookies }: Pick<TestBrowser, 'cookies'>,
  { store, lastId }: { store: string; lastId?: number | undefined },
): ClientRequest {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const clientRequest = request({
    port,
    host: '127.0.0.1',
    agent: false,
    path: `/dashboard/api/stores/${store}/stream`,
    headers: { cookie, ...(lastId !== undefined && { 'last-event-id': String(lastId) }) },
  })
  clientRequest.end()
  clientRequest.on('error', () => {})
  return clientRequest
}

export async function openStream(
  tradepost: Tradepost,
  browser: TestBrowser,
  { store = tradepost.live.id, lastId }: { store?: string; lastId?: number } = {},
): Promise<EventStream> {
  const port = await listen(tradepost)
  const clientRequest = sendStreamRequest(port, browser, { store, lastId })
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  const stream: EventStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    messages: [],
    text: '',
    ended: new Promise((resolve) => response.once('close', () => resolve())),
    async next(event, matches = () => true) {
      const indexOfNext = () =>
        stream.messages.findIndex((item) => item.event === event && matches(item.data))
      if (!(await isReached(() => indexOfNext() !== -1, MESSAGE_TIMEOUT_MS)))
        throw new Error(`No ${event} in:
${stream.text}`)
      return stream.messages.splice(indexOfNext(), 1)[0]
    },
    close: () => clientRequest.destroy(),
  }
  let unparsed = ''
  response.setEncoding('utf8')
  response.on('error', () => {})
  response.on('data', (text: string) => {
    stream.text += text
    const blocks = (unparsed + text).split('\n\n')
    unparsed = blocks.pop() ?? ''
    for (const block of blocks) {
      // A block that begins with a colon is a comment.
      if (!block.startsWith(':')) stream.messages.push(messageOf(block))
    }
  })
  return stream
}

function messageOf(block: string): StreamMessage {
  const fields = new Map(
    block.split('\n').map((line) => [line.split(': ')[0] ?? '', line.replace(/^\w+: /, '')]),
  )
  const id = fields.get('id')
  return {
    event: fields.get('event') ?? '',
    id: id === undefined ? undefined : Number(id),
    data: JSON.parse(fields.get('data') ?? 'null'),
  }
}
