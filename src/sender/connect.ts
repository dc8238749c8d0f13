import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { SECOND_MS } from '../kernel/time.ts'
import type { Target } from '../network/address.rules.ts'
import { failureOf, type SendFailure, tlsFailureOf } from './outcome.rules.ts'

export interface Secrecy {
  /** Trusted beside nothing else, in tests; the system's where none is given. */
  ca?: string | undefined
  /** A former TLS session with the same origin. */
  session?: Buffer | undefined
}

/** A second address is tried after this: half a second is too short for a satellite link. */
const NEXT_ADDRESS_MS = SECOND_MS

export interface SocketListener {
  /** Called once; for https, without a failure only after the certificate was verified. */
  onOpen(failure: SendFailure | undefined): void
  /** The bytes are lent: the next that come, to any socket, are written over them. */
  onBytes(bytes: Buffer): void
}

/**
 * What sockets read into, all of them: each hands on what it read before the next one reads. A buffer
 * of its own for each read costs more than all the rest of reading an answer.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024)

/** Opens a socket to one of the vetted addresses and to no other. */
export function openSocket(
  target: Target,
  addresses: readonly string[],
  secrecy: Secrecy,
  { onOpen, onBytes }: SocketListener,
): Socket {
  const way = {
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
        ...way,
        ...secrecy,
        servername: isIP(target.host) ? '' : target.host,
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
      })
    : openTcp(way)
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
