import { once } from 'node:events'
import type { Socket } from 'node:net'
import tls, { type TlsOptions } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import {
  CA,
  RECEIVER_CERTIFICATE,
  RECEIVER_KEY,
  SELF_SIGNED_CERTIFICATE,
} from './certificates.fixture.ts'
import { startReceiver } from './receiver.fixture.ts'
import { createSender } from './sender.ts'

const VALID: TlsOptions = { cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

const answerOk = (socket: Socket) =>
  void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')

async function openSender(tls: TlsOptions | undefined, ca?: string) {
  const receiver = await startReceiver(answerOk, tls)
  const sender = createSender({
    allowedHosts: new Set(['receiver.test', 'other.test', '127.0.0.1']),
    resolver: { resolve: async () => ({ addresses: ['127.0.0.1'] }), close: () => undefined },
    deadline_ms: 1_000,
    ca,
  })
  cleanups.push(sender.close, receiver.close)
  const post = (host = 'receiver.test') =>
    sender.send({ url: `https://${host}:${receiver.port}/`, headers: {}, body: Buffer.from('{}') })
  return { post, receiver }
}

test('a certificate of a trusted CA is accepted, and SNI names the host', async () => {
  const names: string[] = []
  const { post } = await openSender(
    { ...VALID, SNICallback: (name, done) => done(null, void names.push(name) as never) },
    CA,
  )
  expect(await post()).toMatchObject({ ok: true, status_code: 200, response_body: 'ok' })
  expect(await post()).toMatchObject({ ok: true })
  expect(names).toEqual(['receiver.test'])
})

const REFUSED: readonly (readonly [string, TlsOptions | undefined, Case])[] = [
  ['that is self-signed', { ...VALID, cert: SELF_SIGNED_CERTIFICATE }, { why: /self-signed/ }],
  ['of an unknown CA', VALID, { why: /not trusted/ }],
  ['for another name', VALID, { ca: CA, host: 'other.test', why: /not for this host name/ }],
  [
    'for a name, if the URL has an address,',
    VALID,
    { ca: CA, host: '127.0.0.1', why: /not for this/ },
  ],
  [
    'sent over TLS 1.1',
    { ...VALID, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
    { ca: CA, why: /No TLS/ },
  ],
  ['that is missing, because the server has no TLS,', undefined, { ca: CA, why: /No TLS/ }],
]

test.each(REFUSED)(
  'a certificate %s causes a tls_error, and no request is sent',
  async (_, tls, certificateCase) => {
    const { post, receiver } = await openSender(tls, certificateCase.ca)
    const outcome = await post(certificateCase.host)
    expect(outcome).toMatchObject({ ok: false, status_code: null, error_code: 'tls_error' })
    expect(outcome.error).toMatch(certificateCase.why)
    expect(receiver.received.join('')).not.toContain('POST')
  },
)

test('TLS 1.1 is refused even if the machine allows it', async () => {
  const defaultCiphers = tls.DEFAULT_CIPHERS
  cleanups.push(() => {
    tls.DEFAULT_CIPHERS = defaultCiphers
  })
  // OpenSSL refuses versions below 1.2 at its default security level; level 0 allows them.
  tls.DEFAULT_CIPHERS = 'ALL:@SECLEVEL=0'
  const tls11: TlsOptions = { ...VALID, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }
  const { post, receiver } = await openSender({ ...tls11, ciphers: tls.DEFAULT_CIPHERS }, CA)
  const options = { host: '127.0.0.1', port: receiver.port, ca: CA, servername: 'receiver.test' }
  const tls11Client = tls.connect({ ...options, minVersion: 'TLSv1' })
  await once(tls11Client, 'secureConnect')
  expect(tls11Client.getProtocol()).toBe('TLSv1.1')
  tls11Client.destroy()

  expect(await post()).toMatchObject({ ok: false, status_code: null, error_code: 'tls_error' })
  expect(receiver.received.join('')).not.toContain('POST')
})

test('HTTP/1.1 is requested from a server that also speaks HTTP/2', async () => {
  const requests: string[] = []
  const ALPNCallback = ({ protocols }: { protocols: string[] }) => {
    requests.push(...protocols)
    return protocols[0]
  }
  const { post } = await openSender({ ...VALID, ALPNCallback }, CA)
  expect(await post()).toMatchObject({ ok: true })
  expect(requests).toEqual(['http/1.1'])
})

test('an attempt fails if the server requires a client certificate', async () => {
  const { post } = await openSender(
    { ...VALID, requestCert: true, rejectUnauthorized: true, ca: CA },
    CA,
  )
  const outcome = await post()
  // TLS 1.3 reports this after the handshake, and the end of the connection may arrive first.
  expect(['tls_error', 'connection_reset']).toContain(outcome.error_code)
})

interface Case {
  ca?: string
  host?: string
  why: RegExp
}
