import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestBrowser } from './browser-session.ts'
import type { Json, Tradepost } from './harness.ts'

export interface StreamMessage {
  event: string
  id: number | undefined
  data: Json
}

/** A stream of live updates, read over a real socket. */
export interface EventStream {
  status: number
  headers: IncomingMessage['headers']
  messages: StreamMessage[]
  comments: number
  text: string
  ended: Promise<void>
  /** Waits for the next message of a kind that was not returned yet. */
  next(event: string, matches?: (data: Json) => boolean): Promise<Json>
  close(): void
}

const PATIENCE_MS = 10_000

export async function listen(tradepost: Tradepost): Promise<number> {
  const { server } = tradepost
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as AddressInfo).port
}

export async function openStream(
  tradepost: Tradepost,
  browser: TestBrowser,
  { store = tradepost.live.id, lastId }: { store?: string; lastId?: number } = {},
): Promise<EventStream> {
  const port = await listen(tradepost)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = request({
    port,
    host: '127.0.0.1',
    agent: false,
    path: `/dashboard/api/stores/${store}/stream`,
    headers: { cookie, ...(lastId !== undefined && { 'last-event-id': String(lastId) }) },
  })
  sent.end()
  sent.on('error', () => {})
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const stream: EventStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    messages: [],
    comments: 0,
    text: '',
    ended: new Promise((resolve) => response.once('close', () => resolve())),
    async next(event, matches = () => true) {
      const until = Date.now() + PATIENCE_MS
      for (;;) {
        const at = stream.messages.findIndex((item) => item.event === event && matches(item.data))
        if (at !== -1) return stream.messages.splice(at, 1)[0]
        if (Date.now() > until) throw new Error(`No ${event} in:\n${stream.text}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    close: () => sent.destroy(),
  }
  let rest = ''
  response.setEncoding('utf8')
  response.on('error', () => {})
  response.on('data', (text: string) => {
    stream.text += text
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.startsWith(':')) stream.comments++
      else stream.messages.push(messageOf(block))
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
