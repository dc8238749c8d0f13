import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Chance } from '../../chance.mjs'
import { openLocalServer } from '../../local-server.ts'
import { elapse } from '../../until.ts'
import type { SoakRecord } from './record.ts'

/** An unreliable receiver fails at random, one that is down always, and a healthy one never. */
type ReceiverMode = 'unreliable' | 'down' | 'healthy'

/** A seller's webhook receiver that sometimes fails. */
export interface SoakReceiver {
  url: string
  secret: string
  mode: ReceiverMode
  /** Accepted events with a valid signature, as `type object-id` by event id. */
  accepted: ReadonlyMap<string, string>
  close(): Promise<void>
}

const SLOW_MS = 400

export async function openReceiver(record: SoakRecord, chance: Chance): Promise<SoakReceiver> {
  const accepted = new Map<string, string>()
  const server = await openLocalServer(async (request, response) => {
    try {
      await answer(await buffer(request), request.headers, response)
    } catch {
      // The sender was killed.
    }
  })

  async function answer(body: Buffer, headers: IncomingHttpHeaders, response: ServerResponse) {
    const id = String(headers['service-event-id'])
    if (!isSigned(receiver.secret, String(headers['service-signature']), body)) {
      record.problem('events', `${id}: the signature is invalid.`)
    }
    const outcome = drawOutcome()
    if (outcome === 'disconnect' || outcome === 'refuse') {
      record.add('webhooks refused')
      if (outcome === 'disconnect') response.destroy()
      else response.writeHead(500).end('not now')
      return
    }
    if (outcome === 'accept slowly') await elapse(SLOW_MS)
    const { type, data } = JSON.parse(body.toString())
    accepted.set(id, `${type} ${data.object.id}`)
    record.add('webhooks')
    response.end('ok')
  }

  function drawOutcome(): 'disconnect' | 'refuse' | 'accept slowly' | 'accept' {
    if (receiver.mode === 'down') return 'refuse'
    if (receiver.mode === 'healthy') return 'accept'
    const draw = chance()
    if (draw < 0.04) return 'disconnect'
    if (draw < 0.15) return 'refuse'
    return draw < 0.2 ? 'accept slowly' : 'accept'
  }

  const receiver: SoakReceiver = {
    url: `${server.origin}/hook`,
    secret: '',
    mode: 'unreliable',
    accepted,
    close: server.close,
  }
  return receiver
}

/** Returns true if the signature is valid. Its age is not checked, because the clock of the sender jumps. */
function isSigned(secret: string, header: string, body: Buffer): boolean {
  const [, timestamp = ''] = /^t=(\d+),/.exec(header) ?? []
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return header.includes(`v1=${signature}`)
}
