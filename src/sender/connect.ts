import { isIP, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { SECOND_MS } from '../kernel/time.ts'
import type { Target } from '../network/address.rules.ts'
import { pinnedLookup } from '../network/pinned-lookup.ts'
import { failureOf, type SendFailure, tlsFailureOf } from './outcome.rules.ts'

interface TlsSettings {
  /** For tests: the only trusted CA. By default the system's CAs are trusted. */
  ca?: string | undefined
  /** An earlier TLS session with the same origin. */
  session?: Buffer | undefined
}

/** The delay before a second address is tried. Half a second is too short for satellite links. */
const NEXT_ADDRESS_MS = SECOND_MS

interface SocketListener {
  /** Called once, without a failure if the socket is open and, for https, its certificate is verified. */
  onOpen(failure: SendFailure | undefined): void
  /** The next read of any socket overwrites `bytes`. */
  onBytes(bytes: Buffer): void
}

/**
 * The read buffer of all sockets. Each read is processed before the next one. A buffer for each read would cost
 * more than the rest of reading an answer.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024)

/** Opens a socket to one of the vetted addresses and to no other. */
export function openSocket(
  target: Target,
  addresses: readonly string[],
  tls: TlsSettings,
  { onOpen, onBytes }: SocketListener,
): Socket {
  const options = {
    host: target.host,
    port: target.port,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
    onread: {
      buffer: READ_BUFFER,
      callback(length: number) {
        onBytes(READ_BUFFER.subarray(0, length))
        return true
      },
    },
  }
  const socket = target.isSecure
    ? openTls({
        ...options,
        ...tls,
        servername: isIP(target.host) ? '' : target.host,
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
      })
    : openTcp(options)
  let toFailure = failureOf
  socket.once('connect', () => {
    if (target.isSecure) toFailure = tlsFailureOf
  })
  const onError = (error: Error) => onOpen(toFailure(error))
  socket.once('error', onError)
  socket.once(target.isSecure ? 'secureConnect' : 'connect', () => {
    socket.off('error', onError)
    onOpen(undefined)
  })
  return socket
}
