import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { verifySignature } from '../../src/sender/signature.ts'

/** A request whose body came whole. */
export interface Received {
  path: string
  event: string
  attempt: number
}

/** Ends an answer correctly, or writes other bytes to the socket. */
export type Answer = (response: ServerResponse, socket: Socket) => void

/** A receiver with many paths: it verifies and counts requests, and answers each path as configured. */
export interface Listener {
  url(path: string): string
  /** The signing secret of each path. Requests before it is set count as faults. */
  secrets: Map<string, string>
  received: readonly Received[]
  /** Requests whose signature does not verify, or that differ from an earlier attempt. */
  faults: string[]
  /** Answers of every path, or of those that are named, from now on. */
  answer(how: Answer, paths?: readonly string[]): void
  close(): Promise<void>
}

export const fine: Answer = (response) => void response.end('ok')

/** Each path has its own port: ten connections to an origin are shared by all its senders. */
export async function openListener(paths: readonly string[]): Promise<Listener> {
  const received: Received[] = []
  const faults: string[] = []
  const secrets = new Map<string, string>()
  const bodies = new Map<string, string>()
  const special = new Map<string, Answer>()
  let usual = fine

  const receive: RequestListener = async (request, response) => {
    const { url: path = '', socket } = request
    const body = await bodyOf(request)
    if (!body) return
    record(path, body, (name) => String(request.headers[name]))
    const how = special.get(path) ?? usual
    how(response, socket)
  }
  const servers = new Map<string, Server>()
  for (const path of paths) servers.set(path, await listen(receive))

  function record(path: string, body: Buffer, header: (name: string) => string) {
    const event = header('service-event-id')
    const secret = secrets.get(path) ?? ''
    if (!verifySignature(secret, header('service-signature'), body, Date.now() / 1_000)) {
      faults.push(`${path} ${event}: the signature does not verify.`)
    }
    const text = body.toString()
    if ((bodies.get(event) ?? text) !== text) faults.push(`${event}: another body than before.`)
    bodies.set(event, text)
    received.push({ path, event, attempt: Number(header('service-delivery-attempt')) })
  }

  return {
    url: (path) => `http://127.0.0.1:${portOf(servers.get(path))}${path}`,
    secrets,
    received,
    faults,
    answer(how, paths) {
      if (!paths) usual = how
      for (const path of paths ?? []) special.set(path, how)
    },
    async close() {
      for (const server of servers.values()) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
}

async function listen(receive: RequestListener): Promise<Server> {
  const server = createServer(receive)
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined))
  server.on('clientError', (_, socket) => void socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server | undefined): number {
  if (!server) throw new Error('Nobody listens at this path.')
  return (server.address() as AddressInfo).port
}

/** Nothing where the sender was killed in the middle of it. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

/** Requests wait at it for their answers until it is opened. */
export interface Authentication {
  answer: Answer
  waiting(): number
  open(): void
}

export function createBarrier(): Authentication {
  const waiting: (() => void)[] = []
  let open = false
  return {
    answer(response, socket) {
      const go = () => fine(response, socket)
      if (open) go()
      else waiting.push(go)
    },
    waiting: () => waiting.length,
    open() {
      open = true
      for (const go of waiting.splice(0)) go()
    },
  }
}
