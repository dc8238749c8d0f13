import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECOND_MS, steadyClock } from '../kernel/time.ts'

const TIMEOUT_STATUS = 408

/** A caller that sends nothing for `idle_ms` has read the answer. */
const LIMITS = { idle_ms: 2 * SECOND_MS, total_ms: 10 * SECOND_MS }

/**
 * Drops the rest of a refused body after the answer. If the connection were closed with unread bytes, TCP
 * would reset it, and a caller that is still sending would not get the answer (decision 401).
 */
export function dropRestOfBody({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw
  const closesConnection = reply.getHeader('connection') === 'close'
  if (
    !closesConnection ||
    raw.complete ||
    reply.statusCode === TIMEOUT_STATUS ||
    !(socket instanceof Socket)
  )
    return
  // This caller sends its body after `100 Continue`, which it does not get.
  if (headers.expect !== undefined && !raw.readableDidRead) return
  const wantsClose = !reply.raw.shouldKeepAlive
  reply.removeHeader('connection')
  reply.raw.shouldKeepAlive = true
  reply.raw.once('finish', () => dropBody(raw, socket))
  if (wantsClose) raw.once('end', () => socket.end())
}

function dropBody(raw: IncomingMessage, socket: Socket): void {
  const start = steadyClock.now()
  let { bytesRead } = socket
  const check = () => {
    const isSending = socket.bytesRead > bytesRead
    bytesRead = socket.bytesRead
    if (!isSending || steadyClock.now() - start >= LIMITS.total_ms) socket.destroy()
  }
  // The check phase is after the poll phase, which reads what arrived while the process was busy.
  const timer = setInterval(() => setImmediate(check), LIMITS.idle_ms).unref()
  raw.once('close', () => clearInterval(timer))
  raw.resume()
}
