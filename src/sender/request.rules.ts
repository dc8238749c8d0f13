import type { Target } from '../network/address.rules.ts'

export type Headers = Readonly<Record<string, string>>

const FIXED_HEADERS =
  'content-type: application/json\r\nuser-agent: Tradepost-Webhooks/1\r\naccept-encoding: identity\r\n'

/** Headers that callers cannot set: the fixed ones and those of the connection. */
const RESERVED_HEADERS = new Set([
  ...['content-type', 'user-agent', 'accept-encoding', 'host', 'content-length', 'connection'],
  ...['keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
])

const HEADER_LINE = /^[!#$%&'*+\-.^_`|~\w]+: [\t\x20-\x7e\x80-\xff]*\r\n$/

/**
 * Returns the bytes of a POST request. Fixed headers override the caller's. Throws if a header is invalid, so that
 * nothing is sent.
 */
export function requestBytes({ origin, path }: Target, headers: Headers, body: Uint8Array): Buffer {
  const host = origin.slice(origin.indexOf('//') + 2)
  const start = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${FIXED_HEADERS}`
  const head = `${start}${linesOf(headers)}content-length: ${body.length}\r\n\r\n`
  // One buffer and one write; writing head and body separately costs twice as much.
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return bytes
}

function linesOf(headers: Headers): string {
  let lines = ''
  for (const name of Object.keys(headers)) {
    if (RESERVED_HEADERS.has(name.toLowerCase())) continue
    const line = `${name}: ${headers[name]}\r\n`
    if (!HEADER_LINE.test(line))
      throw new TypeError(`The header ${JSON.stringify(name)} is invalid.`)
    lines += line
  }
  return lines
}
