import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endOfSession } from '../../features/installation/index.ts'
import type { AuthenticationContext } from '../store-authentication.ts'
import { authenticateUser } from './dashboard-authentication.ts'

export const STREAM_PATH = '/stream'

/** A browser that has this much still to read is cut off. */
const UNREAD_BYTES_MAX = 256 * 1024

const LINGER_MS = 500

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies such as nginx would collect the messages.
  'x-accel-buffering': 'no',
}

/** The live updates of a store as server-sent events (decision 138). */
export function mountStream(server: FastifyInstance, auth: AuthenticationContext) {
  server.route({
    method: 'GET',
    url: STREAM_PATH,
    exposeHeadRoute: false,
    compress: false,
    handler: (request, reply) => openStream(auth, request, reply),
  })
  server.addHook('preClose', async () => auth.live.close())
}

async function openStream(
  auth: AuthenticationContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { session, store } = await authenticateUser(auth, 'store', { request, reply })
  const { raw } = reply
  const listener = {
    user_id: session.user_id,
    session_id: session.id,
    store_id: store.id,
    // Without a role the call was refused.
    role: session.role ?? 'viewer',
    lastNo: lastNumber(request),
    ends_at: endOfSession(session),
    write(text: string) {
      if (raw.writableLength > UNREAD_BYTES_MAX) {
        raw.destroy()
        return false
      }
      raw.write(text)
      return true
    },
    end() {
      raw.end()
      // A browser that does not read would keep its socket, and the process, open.
      setTimeout(() => raw.destroy(), LINGER_MS).unref()
    },
  }
  auth.live.join(listener)
  raw.once('close', () => auth.live.leave(listener))
  raw.on('error', () => {})
  reply.hijack()
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS })) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.writeHead(200)
  raw.flushHeaders()
}

/** EventSource sends the id of its last message; a page that begins anew names it in the query. */
function lastNumber({ headers, query }: FastifyRequest): number | undefined {
  const asked = (query as { last_event_id?: unknown }).last_event_id
  const [text = asked] = [headers['last-event-id']].flat()
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
