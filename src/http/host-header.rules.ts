import { Refusal } from '../kernel/errors.ts'
import { headerValues } from './header-values.rules.ts'

/** The characters that a host and port cannot have: in a URL they end the host, or are not allowed. */
const NOT_IN_HOST = /[\s/?#@\\]/

/**
 * Returns the refusal of a request whose Host header is missing, repeated or invalid (RFC 9112, 3.2).
 * `headers` has names and values alternately. HTTP/1.0 requires no Host.
 */
export function refusalOfHost(version: string, headers: readonly string[]): Refusal | undefined {
  const hosts = headerValues(headers, 'host')
  if (hosts.length === 0 && version === '1.0') return undefined
  if (hosts.length === 0) return badHost('Send a Host header; HTTP/1.1 needs one.')
  if (hosts.length > 1) return badHost('Send one Host header, not several.')
  if (NOT_IN_HOST.test(hosts[0] ?? '')) return badHost('Send a host such as example.com as Host.')
  return undefined
}

const badHost = (message: string) => new Refusal('INVALID_JSON', message)
