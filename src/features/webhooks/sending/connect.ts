import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Target } from '../../../network/address.rules.ts'
import { failureOf, type SendFailure, tlsFailureOf } from './outcome.rules.ts'

export interface Secrecy {
  /** Trusted beside nothing else, in tests; the system's where none is given. */
  ca?: string | undefined
  /** A former TLS session with the same origin. */
  session?: Buffer | undefined
}

/** A second address is tried after this: half a second is too short for a satellite link. */
const NEXT_ADDRESS_MS = SECOND_MS

/**
 * Opens a socket to one of the vetted addresses and to no other. `done` is called once, for https
 * only after the certificate was verified.
 */
export function openSocket(
  target: Target,
  addresses: readonly string[],
  secrecy: Secrecy,
  done: (failure: SendFailure | undefined) => void,
): Socket {
  const way = {
    host: target.host,
    port: target.port,
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
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
  const failed = (error: Error) => done(failing(error))
  socket.once('error', failed)
  socket.once(target.secure ? 'secureConnect' : 'connect', () => {
    socket.off('error', failed)
    done(undefined)
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
