import { isLoopbackName } from '../../kernel/net.ts'

/**
 * Returns true if cookies may be sent: over https, or within this machine, whose names are the same host (decision
 * 135). The host in the request is checked too, because a server that listens on all addresses can be reached under
 * other host names than that of its public URL.
 */
export function mayUseCookies(publicUrl: string, requestedHost: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || (isLoopbackName(hostname) && isLoopbackName(requestedHost))
}

/** Returns true if two origins are the same. All host names of this machine are the same host. */
function isSameOrigin(origin: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  const [callerUrl, ownUrl] = [new URL(origin), new URL(publicUrl)]
  if (callerUrl.origin === ownUrl.origin) return true
  const isLocal = isLoopbackName(callerUrl.hostname) && isLoopbackName(ownUrl.hostname)
  return isLocal && callerUrl.protocol === ownUrl.protocol && callerUrl.port === ownUrl.port
}

interface CallOrigin {
  method: string
  origin: string | undefined
  fetchSite: string | undefined
}

/** Returns true if a call comes from a page of the dashboard, or changes nothing and may come from anywhere. */
export function isAllowedOrigin(
  { method, origin, fetchSite }: CallOrigin,
  publicUrl: string,
): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  return origin === undefined ? fetchSite === 'same-origin' : isSameOrigin(origin, publicUrl)
}
