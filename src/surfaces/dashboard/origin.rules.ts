/** All names of this machine count as one (decision 135). */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

/** True if cookies may be sent to the public address: over https, or within this machine. */
export function isPrivateEnough(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname)
}

/** True if two origins are the same, where all names of this machine are one. */
function isSameOrigin(sent: string, publicUrl: string): boolean {
  if (!URL.canParse(sent)) return false
  const [a, b] = [new URL(sent), new URL(publicUrl)]
  if (a.origin === b.origin) return true
  const isLocal = isLoopback(a.hostname) && isLoopback(b.hostname)
  return isLocal && a.protocol === b.protocol && a.port === b.port
}

interface Sent {
  method: string
  origin: string | undefined
  fetchSite: string | undefined
}

/** True if a call comes from a page of the dashboard itself; calls that change nothing may come from anywhere. */
export function isOwnPage({ method, origin, fetchSite }: Sent, publicUrl: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  return origin === undefined ? fetchSite === 'same-origin' : isSameOrigin(origin, publicUrl)
}
