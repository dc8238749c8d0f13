import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fault that a call meets; `pass` is no fault. */
export type Fault =
  | 'pass'
  /** The connection breaks before the server gets the call. */
  | 'lost on the way'
  /** The call succeeds, and the connection breaks before the answer arrives. */
  | 'lost on the way back'
  /** The call succeeds, and half of the answer arrives. */
  | 'cut'
  /** The server does not get the call, and no answer arrives. */
  | 'silent'
  | { status: number; body?: string; headers?: Record<string, string> }

export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface FaultyLine {
  url: string
  /** Every attempt, including lost ones. */
  seen: Seen[]
  /** The faults of the next calls, in sequence. Later calls pass. */
  plan(...faults: Fault[]): void
  close(): void
}

/** A proxy between a client and the server that injects faults. */
export async function openProxy(target: string): Promise<FaultyLine> {
  const { origin } = new URL(target)
  const seen: Seen[] = []
  const faults: Fault[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = incoming
    const one = { method, path: url, headers, body: Buffer.concat(chunks) }
    seen.push(one)
    await meet(faults.shift() ?? 'pass', origin, one, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    plan: (...more) => void faults.push(...more),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function meet(fault: Fault, origin: string, item: Seen, outgoing: ServerResponse) {
  if (fault === 'silent') return
  if (fault === 'lost on the way') return void outgoing.socket?.destroy()
  if (typeof fault === 'object') {
    return void outgoing.writeHead(fault.status, fault.headers).end(fault.body)
  }
  const { status, headers, body } = await forward(origin, item)
  if (fault === 'lost on the way back') return void outgoing.socket?.destroy()
  outgoing.writeHead(status, headers)
  if (fault === 'pass') return void outgoing.end(body)
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroy())
}

async function forward(origin: string, { method, path, headers, body }: Seen) {
  const sent = request(origin + path, { method, headers: { ...headers, connection: 'close' } })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return {
    status: answer.statusCode ?? 0,
    headers: { ...answer.headers, connection: 'keep-alive' },
    body: Buffer.concat(chunks),
  }
}
