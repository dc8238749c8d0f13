// Prints the test vectors of client programs: sdk/client-security/vectors.json. The keys are fixed and
// protect nothing. Ed25519 signatures are deterministic, so the file changes only with the formats.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const FILE = new URL('../sdk/client-security/vectors.json', import.meta.url)
const SEED_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param {number} byte */
function keyOf(byte) {
  const der = Buffer.concat([SEED_HEAD, Buffer.alloc(32, byte)])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    public_key: raw.toString('base64url'),
    kid: createHash('sha256').update(raw).digest('base64url').slice(0, 16),
    /** @param {string} text */
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}
/** @param {string} text */
const hex = (text) => createHash('sha256').update(text).digest('hex')
/** @param {unknown} value */
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

const app = 'app_0000000000000000000001'
const server = keyOf(1)
const next = keyOf(2)
const device = keyOf(3)
const nonce = Buffer.alloc(16, 9).toString('base64url')
const t = 1_800_000_000
const body = '{"success":true,"valid":false,"code":"NOT_FOUND"}'
const path = `/client/${app}/validate`
const requestBody = '{"license_key":"7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG"}'
const token = 'A'.repeat(43)
/**
 * The ten lines of `Service-Response-Signature`.
 *
 * @param {{ requestHash: string; tokenHash: string; status: number; body: string }} answer
 */
const responseText = ({ requestHash, tokenHash, status, body }) =>
  [
    'client-response/v1',
    ...[app, 'POST', path, nonce],
    ...[requestHash, tokenHash, status, t, hex(body)],
  ].join('\n')
const tooLong = '{"success":false,"error":"Send at most 65536 bytes."}'
const answered = responseText({
  requestHash: hex(requestBody),
  tokenHash: hex(token),
  status: 200,
  body,
})
const unread = responseText({ requestHash: '-', tokenHash: '-', status: 413, body: tooLong })
const beat = `/client/${app}/sessions/heartbeat`
const requestText = ['client-request/v1', app, 'POST', beat, nonce, t, hex(token), hex('')].join(
  '\n',
)
const keys = [server, next].map(({ kid, public_key }) => ({
  kid,
  alg: 'Ed25519',
  public_key,
  not_before: '2026-01-01T00:00:00.000Z',
  not_after: null,
}))
const keySet = `key-set/v1\n${app}\n${JSON.stringify(keys)}`
const fingerprint = 'machine-of-the-vectors'
const header = part({ typ: 'license-file', v: 1, kid: server.kid })
const payload = part({
  app,
  key_id: 1,
  level: 2,
  entitlements: ['pro'],
  license_expires_at: null,
  device: { id: 1, fingerprint_hash: hex(`${app}\n${fingerprint}`), public_key_thumbprint: null },
  issued_at: '2027-01-01T00:00:00.000Z',
  server_time: '2027-01-01T00:00:00.000Z',
  not_before: '2027-01-01T00:00:00.000Z',
  expires_at: '2027-01-08T00:00:00.000Z',
  seq: 1,
})
const fileText = `license-file/v1\n${header}.${payload}`

const vectors = {
  app,
  trusted_key: { kid: server.kid, public_key: server.public_key },
  response: {
    method: 'POST',
    path,
    nonce,
    request_body: requestBody,
    token,
    status: 200,
    body,
    signed_text: answered,
    signature: `t=${t},kid=${server.kid},v1=${server.sign(answered)}`,
  },
  unread_response: {
    method: 'POST',
    path,
    nonce,
    request_body: requestBody,
    status: 413,
    body: tooLong,
    signed_text: unread,
    signature: `t=${t},kid=${server.kid},v1=${server.sign(unread)}`,
  },
  request: {
    method: 'POST',
    path: beat,
    nonce,
    t,
    token,
    body: '',
    device_public_key: device.public_key,
    signed_text: requestText,
    proof: `t=${t},v1=${device.sign(requestText)}`,
  },
  key_set: {
    body: JSON.stringify({
      success: true,
      keys,
      signature: { kid: server.kid, v1: server.sign(keySet) },
    }),
    signed_text: keySet,
  },
  license_file: {
    fingerprint,
    valid_at: '2027-01-02T00:00:00.000Z',
    signed_text: fileText,
    file: `${header}.${payload}.${server.sign(fileText)}`,
  },
}
writeFileSync(FILE, `${JSON.stringify(vectors, null, 2)}\n`)
