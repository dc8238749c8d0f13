import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from '../../kernel/browser.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/time.ts'

const SESSION_S = (30 * DAY_MS) / SECOND_MS
const DEVICE_S = (365 * DAY_MS) / SECOND_MS

const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:')
/** On https the name has the prefix `__Host-`, so browsers accept the cookie only from this host (decision 135). */
const nameOf = (publicUrl: string, kind: keyof Cookies): string =>
  `${isHttps(publicUrl) ? '__Host-' : ''}tradepost${kind === 'device' ? '-device' : ''}`

/** Reads a cookie of the dashboard. If the name is repeated, the first value is used. */
export function readCookie(
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string,
  kind: keyof Cookies,
): string | undefined {
  const name = nameOf(publicUrl, kind)
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = part.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}

export function setCookies(reply: FastifyReply, publicUrl: string, cookies: Cookies): void {
  const secure = isHttps(publicUrl) ? '; Secure' : ''
  const set = (kind: keyof Cookies, value: string, age_s: number) =>
    reply.header(
      'set-cookie',
      `${nameOf(publicUrl, kind)}=${value}; Path=/; Max-Age=${age_s}; HttpOnly; SameSite=Lax${secure}`,
    )
  if (cookies.session === null) set('session', '', 0)
  else if (cookies.session !== undefined) set('session', cookies.session, SESSION_S)
  if (cookies.device !== undefined) set('device', cookies.device, DEVICE_S)
}
