import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { SECOND_MS } from '../kernel/time.ts'
import type { Target } from '../network/address.rules.ts'
import { failureOf, type SendFailure, tlsFailureOf } from './outcome.rules.ts'

export interface Secrecy {
  /** For tests: the only trusted CA. By default the system's CAs are trusted. */
  ca?: string | undefined
  /** An earlier TLS session with the same origin. */
  session?: Buffer | undefined
}

/** The delay before a second address is tried. Half a second is too short for satellite links. */
const NEXT_ADDRESS_MS = SECOND_MS

export interface SocketListener {
  /** Called once. For https, success means that the certificate was verified. */
  onOpen(failure: SendFailure | undefined): void
  /** `bytes` is overwritten by the next read of any socket. */
  onBytes(bytes: Buffer): void
}

/**
 * The read buffer of all sockets; each read is processed before the next. A buffer for each read
 * would cost more than all other work of reading an answer.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024)

/** Opens a socket to one of the vetted addresses and to no other. */
export function openSocket(
  target: Target,
  addresses: readonly string[],
  secrecy: Secrecy,
  { onOpen, onBytes }: SocketListener,
): Socket {
  const options = {
    host: target.host,
    port: target.port,
    lookup: pinned(addresses),
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
  const socket = target.secure
    ? openTls({
        ...options,
        ...secrecy,
        servername: isIP(target.host) ? '' : target.host,
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
      })
    : openTcp(options)
  let failing = failureOf
  socket.once('connect', () => {
    if (target.secure) failing = tlsFailureOf
  })
  const failed = (error: Error) => onOpen(failing(error))
  socket.once('error', failed)
  socket.once(target.secure ? 'secureConnect' : 'connect', () => {
    socket.off('error', failed)
    onOpen(undefined)
  })
  return socket
}

const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
