import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endOfSession } from '../../features/installation/index.ts'
import type { AuthenticationContext } from '../store-authentication.ts'
import { authenticateUser } from './dashboard-authentication.ts'

export const STREAM_PATH = '/stream'

/** The connection of a browser is closed if more bytes than this are waiting to be read. */
const UNREAD_BYTES_MAX = 256 * 1024

/** The time that a browser has to read the end of the stream. */
const CLOSE_DEADLINE_MS = 500

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Without it, proxies such as nginx buffer the messages.
  'x-accel-buffering': 'no',
}

/** Mounts the live updates of a store as server-sent events (decision 138). */
export function mountStream(server: FastifyInstance, auth: AuthenticationContext) {
  server.route({
    method: 'GET',
    url: STREAM_PATH,
    exposeHeadRoute: false,
    compress: false,
    handler: (request, reply) => openStream(auth, request, reply),
  })
  server.addHook('preClose', async () => auth.liveHub.close())
}

async function openStream(
  auth: AuthenticationContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { session, store } = await authenticateUser(auth, 'store', { request, reply })
  const { raw } = reply
  // The browser closed the connection meanwhile, so no `close` will follow that gives the stream back.
  if (raw.destroyed) return void reply.hijack()
  const listener = {
    user_id: session.user_id,
    session_id: session.id,
    store_id: store.id,
    // authenticateUser has refused a user without a role.
    role: session.role ?? 'viewer',
    lastNo: lastMessageId(request),
    ends_at: endOfSession(session),
    write(bytes: Uint8Array) {
      if (raw.writableLength > UNREAD_BYTES_MAX) {
        raw.destroy()
        return false
      }
      raw.write(bytes)
      return true
    },
    end() {
      raw.end()
      // A browser that does not read would keep its socket, and so the process, open.
      setTimeout(() => raw.destroy(), CLOSE_DEADLINE_MS).unref()
    },
  }
  auth.liveHub.join(listener)
  raw.once('close', () => auth.liveHub.leave(listener))
  raw.on('error', () => {})
  reply.hijack()
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS })) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.writeHead(200)
  raw.flushHeaders()
}

/** Returns the id of the last message that a page received: in a header of EventSource, or in the query of a reloaded page. */
function lastMessageId({ headers, query }: FastifyRequest): number | undefined {
  const lastId = (query as { last_event_id?: unknown }).last_event_id
  const [text = lastId] = [headers['last-event-id']].flat()
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
