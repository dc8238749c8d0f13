import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifySignature } from '../../src/sender/signature.ts'
import { now_s } from '../clock.ts'

/** A request whose body arrived completely. */
export interface Received {
  path: string
  eventId: string
  attempt: number
}

/** Ends an answer correctly, or writes other bytes to the socket. */
export type Answer = (response: ServerResponse, socket: Socket) => void

/** A receiver of webhooks with many paths. It verifies and records requests, and answers each path as configured. */
export interface Receiver {
  url(path: string): string
  /** The signing secret of each path. Requests that arrive before it is set count as faults. */
  secrets: Map<string, string>
  received: readonly Received[]
  /** Requests whose signature does not verify, or that differ from an earlier attempt. */
  faults: string[]
  /** Sets the answers of all paths, or of the named ones, from now on. */
  setAnswer(answer: Answer, paths?: readonly string[]): void
  close(): Promise<void>
}

export const answerOk: Answer = (response) => void response.end('ok')

/** Opens a receiver. Each path has its own port, because a sender has at most ten connections to an origin. */
export async function openReceiver(paths: readonly string[]): Promise<Receiver> {
  const received: Received[] = []
  const faults: string[] = []
  const secrets = new Map<string, string>()
  const bodies = new Map<string, string>()
  const answersByPath = new Map<string, Answer>()
  let defaultAnswer = answerOk

  const receive: RequestListener = async (request, response) => {
    const { url: path = '', socket } = request
    // The body is incomplete if the sender was killed.
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    record(path, body, (name) => String(request.headers[name]))
    const answer = answersByPath.get(path) ?? defaultAnswer
    answer(response, socket)
  }
  const servers = new Map<string, Server>()
  for (const path of paths) servers.set(path, await listen(receive))

  function record(path: string, body: Buffer, header: (name: string) => string) {
    const eventId = header('service-event-id')
    const secret = secrets.get(path) ?? ''
    if (!verifySignature(secret, header('service-signature'), body, now_s())) {
      faults.push(`${path} ${eventId}: the signature does not verify.`)
    }
    const text = body.toString()
    if ((bodies.get(eventId) ?? text) !== text) faults.push(`${eventId}: the body has changed.`)
    bodies.set(eventId, text)
    received.push({ path, eventId, attempt: Number(header('service-delivery-attempt')) })
  }

  return {
    url: (path) => `http://127.0.0.1:${portOf(servers.get(path))}${path}`,
    secrets,
    received,
    faults,
    setAnswer(answer, paths) {
      if (!paths) defaultAnswer = answer
      for (const path of paths ?? []) answersByPath.set(path, answer)
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
  if (!server) throw new Error('No server listens at this path.')
  return (server.address() as AddressInfo).port
}

/** Requests with this answer wait until the barrier is opened, and then get 200. */
interface Barrier {
  answer: Answer
  /** Returns the number of waiting requests. */
  waiting(): number
  open(): void
}

export function createBarrier(): Barrier {
  const waitingAnswers: (() => void)[] = []
  let isOpen = false
  return {
    answer(response, socket) {
      const answer = () => answerOk(response, socket)
      if (isOpen) answer()
      else waitingAnswers.push(answer)
    },
    waiting: () => waitingAnswers.length,
    open() {
      isOpen = true
      for (const answer of waitingAnswers.splice(0)) answer()
    },
  }
}
