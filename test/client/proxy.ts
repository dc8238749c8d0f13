import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { openLocalServer } from '../local-server.ts'

/** The fault of an attempt. `pass` is no fault. */
export type Fault =
  | 'pass'
  /** The connection breaks before the server gets the call. */
  | 'request lost'
  /** The call succeeds, and the connection breaks before the answer arrives. */
  | 'answer lost'
  /** The call succeeds, and half of the answer arrives. */
  | 'answer cut off'
  /** The server does not get the call, and no answer arrives. */
  | 'silent'
  | { status: number; body?: string; headers?: Record<string, string> }

interface ReceivedAttempt {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface FaultyProxy {
  url: string
  /** Every attempt, including lost ones. */
  attempts: ReceivedAttempt[]
  /** Sets the faults of the next attempts, in sequence. Later attempts pass. */
  plan(...faults: Fault[]): void
  close(): Promise<void>
}

/** Opens a proxy that injects faults between a client and the server. */
export async function openProxy(target: string): Promise<FaultyProxy> {
  const { origin } = new URL(target)
  const attempts: ReceivedAttempt[] = []
  const faults: Fault[] = []
  const server = await openLocalServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    const { method = '', url = '', headers } = incoming
    const attempt = { method, path: url, headers, body }
    attempts.push(attempt)
    await inject(faults.shift() ?? 'pass', origin, attempt, outgoing)
  })
  return {
    url: `${server.origin}/v1`,
    attempts,
    plan: (...newFaults) => void faults.push(...newFaults),
    close: server.close,
  }
}

async function inject(
  fault: Fault,
  origin: string,
  attempt: ReceivedAttempt,
  outgoing: ServerResponse,
) {
  if (fault === 'silent') return
  if (fault === 'request lost') return void outgoing.socket?.destroy()
  if (typeof fault === 'object') {
    return void outgoing.writeHead(fault.status, fault.headers).end(fault.body)
  }
  const { status, headers, body } = await forward(origin, attempt)
  if (fault === 'answer lost') return void outgoing.socket?.destroy()
  outgoing.writeHead(status, headers)
  if (fault === 'pass') return void outgoing.end(body)
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroy())
}

async function forward(origin: string, { method, path, headers, body }: ReceivedAttempt) {
  const forwarded = request(origin + path, { method, headers: { ...headers, connection: 'close' } })
  forwarded.end(body)
  const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
  return {
    status: answer.statusCode ?? 0,
    headers: { ...answer.headers, connection: 'keep-alive' },
    body: await buffer(answer),
  }
}
