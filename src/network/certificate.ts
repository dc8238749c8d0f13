import { connect } from 'node:tls'

export interface Certificate {
  /** The end of its validity, in milliseconds. */
  ends_ms: number
  /** The reason why clients refuse it; null if they accept it. */
  refusal: string | null
}

const TIMEOUT_MS = 5_000
const HTTPS_PORT = 443

/**
 * Reads the certificate that the server of an https URL shows. The URL is the operator's own, so its address is not
 * vetted. Throws if the server does not answer in time.
 */
export function readCertificate(url: string): Promise<Certificate> {
  const { hostname, port } = new URL(url)
  // The brackets of an IPv6 address are no part of it.
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: port === '' ? HTTPS_PORT : Number(port),
      // An address has no server name.
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      // A refused certificate is read too. Nothing is sent on this connection.
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
    })
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const refusal = socket.authorized ? null : String(socket.authorizationError)
      socket.destroy()
      resolve({ ends_ms: Date.parse(valid_to), refusal })
    })
    socket.once('timeout', () => socket.destroy(new Error('The server did not answer in time.')))
    socket.once('error', reject)
  })
}
