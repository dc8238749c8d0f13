const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i
const IS_ADDRESS = /^(\[.*\]|\d{1,3}(\.\d{1,3}){3})$/

/** The name and the origins that passkeys are bound to; undefined for a public address without a name. */
export function relyingPartyOf(publicUrl: string): { id: string; origins: string[] } | undefined {
  const { hostname, origin, protocol, port } = new URL(publicUrl)
  if (LOOPBACK.test(hostname)) {
    // Browsers accept no passkeys for an IP address; on this machine they open localhost.
    return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] }
  }
  return IS_ADDRESS.test(hostname) ? undefined : { id: hostname, origins: [origin] }
}
