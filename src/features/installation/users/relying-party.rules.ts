import { isLoopbackName } from '../../../kernel/net.ts'

const IS_ADDRESS = /^(\[.*\]|\d{1,3}(\.\d{1,3}){3})$/

/**
 * Returns the host name and the origins to which passkeys are bound, or undefined if the public URL has
 * an IP address instead of a host name.
 */
export function relyingPartyOf(publicUrl: string): { id: string; origins: string[] } | undefined {
  const { hostname, origin, protocol, port } = new URL(publicUrl)
  if (isLoopbackName(hostname)) {
    // Browsers create no passkeys for IP addresses, so a loopback address counts as localhost.
    return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] }
  }
  return IS_ADDRESS.test(hostname) ? undefined : { id: hostname, origins: [origin] }
}
