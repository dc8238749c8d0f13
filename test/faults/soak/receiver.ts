import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import type { SoakRecord } from './record.ts'

/** `fickle` fails now and then, `down` fails always, `well` never. */
export type Mood = 'fickle' | 'down' | 'well'

/** A seller's webhook receiver that sometimes fails. */
export interface SoakReceiver {
  url: string
  secret: string
  mood: Mood
  /** Accepted events with a valid signature, as `type object-id` by event id. */
  accepted: ReadonlyMap<string, string>
  close(): Promise<void>
}

const SLOW_MS = 400

export async function openReceiver(record: SoakRecord, chance: Chance): Promise<SoakReceiver> {
  const accepted = new Map<string, string>()
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      await answer(Buffer.concat(chunks), request.headers, response)
    } catch {
      // The sender was killed.
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function answer(body: Buffer, headers: IncomingHttpHeaders, response: ServerResponse) {
    const id = String(headers['service-event-id'])
    if (!isSigned(receiver.secret, String(headers['service-signature']), body)) {
      record.problem('events', `${id}: the signature is invalid.`)
    }
    const lot = receiver.mood === 'down' ? 0 : receiver.mood === 'well' ? 1 : chance()
    if (lot < 0.15) {
      record.add('webhooks refused')
      if (lot < 0.04 && receiver.mood === 'fickle') response.destroy()
      else response.writeHead(500).end('not now')
      return
    }
    if (lot < 0.2) await pause(SLOW_MS)
    const { type, data } = JSON.parse(body.toString())
    accepted.set(id, `${type} ${data.object.id}`)
    record.add('webhooks')
    response.end('ok')
  }

  const receiver: SoakReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret: '',
    mood: 'fickle',
    accepted,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** The age is not checked: the clock of the sender jumps. */
function isSigned(secret: string, header: string, body: Buffer): boolean {
  const [, t = ''] = /^t=(\d+),/.exec(header) ?? []
  const hex = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  return header.includes(`v1=${hex}`)
}
