// Prints the test vectors of client programs: sdk/client-security/vectors.json. The keys are fixed test keys.
// Ed25519 signatures are deterministic, so the file changes only with the formats.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const FILE = new URL('../sdk/client-security/vectors.json', import.meta.url)
/** The first bytes of a PKCS #8 private key of Ed25519. The seed of 32 bytes follows. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns the key whose seed consists of one repeated byte. @param {number} byte */
function testKey(byte) {
  const der = Buffer.concat([PKCS8_HEAD, Buffer.alloc(32, byte)])
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
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
/** @param {unknown} value */
const base64urlOf = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

const app = 'app_0000000000000000000001'
const serverKey = testKey(1)
const nextServerKey = testKey(2)
const deviceKey = testKey(3)
const nonce = Buffer.alloc(16, 9).toString('base64url')
const t = 1_800_000_000
const answerBody = '{"success":true,"valid":false,"code":"NOT_FOUND"}'
const path = `/client/${app}/validate`
const requestBody = '{"license_key":"7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG"}'
const token = 'A'.repeat(43)
/**
 * Returns the ten lines that `Service-Response-Signature` signs.
 *
 * @param {{ requestHash: string; tokenHash: string; status: number; body: string }} answer
 */
const responseText = ({ requestHash, tokenHash, status, body }) =>
  [
    'client-response/v1',
    app,
    'POST',
    path,
    nonce,
    requestHash,
    tokenHash,
    status,
    t,
    sha256(body),
  ].join('\n')
const answerToSign = responseText({
  requestHash: sha256(requestBody),
  tokenHash: sha256(token),
  status: 200,
  body: answerBody,
})
/** The answer to a request whose body the server did not read, so it does not know the hash of the body. */
const unreadAnswerBody = '{"success":false,"error":"Send at most 65536 bytes."}'
const unreadAnswerToSign = responseText({
  requestHash: '-',
  tokenHash: '-',
  status: 413,
  body: unreadAnswerBody,
})
const heartbeatPath = `/client/${app}/sessions/heartbeat`
const requestToSign = [
  'client-request/v1',
  app,
  'POST',
  heartbeatPath,
  nonce,
  t,
  sha256(token),
  sha256(''),
].join('\n')
const keys = [serverKey, nextServerKey].map(({ kid, public_key }) => ({
  kid,
  alg: 'Ed25519',
  public_key,
  not_before: '2026-01-01T00:00:00.000Z',
  not_after: null,
}))
const keySetToSign = `key-set/v1\n${app}\n${JSON.stringify(keys)}`
const fingerprint = 'machine-of-the-vectors'
const header = base64urlOf({ typ: 'license-file', v: 1, kid: serverKey.kid })
const payload = base64urlOf({
  app,
  key_id: 1,
  level: 2,
  entitlements: ['pro'],
  license_expires_at: null,
  device: {
    id: 1,
    fingerprint_hash: sha256(`${app}\n${fingerprint}`),
    public_key_thumbprint: null,
  },
  issued_at: '2027-01-01T00:00:00.000Z',
  server_time: '2027-01-01T00:00:00.000Z',
  not_before: '2027-01-01T00:00:00.000Z',
  expires_at: '2027-01-08T00:00:00.000Z',
  seq: 1,
})
const fileToSign = `license-file/v1\n${header}.${payload}`

const vectors = {
  app,
  trusted_key: { kid: serverKey.kid, public_key: serverKey.public_key },
  response: {
    method: 'POST',
    path,
    nonce,
    request_body: requestBody,
    token,
    status: 200,
    body: answerBody,
    signed_text: answerToSign,
    signature: `t=${t},kid=${serverKey.kid},v1=${serverKey.sign(answerToSign)}`,
  },
  unread_response: {
    method: 'POST',
    path,
    nonce,
    request_body: requestBody,
    status: 413,
    body: unreadAnswerBody,
    signed_text: unreadAnswerToSign,
    signature: `t=${t},kid=${serverKey.kid},v1=${serverKey.sign(unreadAnswerToSign)}`,
  },
  request: {
    method: 'POST',
    path: heartbeatPath,
    nonce,
    t,
    token,
    body: '',
    device_public_key: deviceKey.public_key,
    signed_text: requestToSign,
    proof: `t=${t},v1=${deviceKey.sign(requestToSign)}`,
  },
  key_set: {
    body: JSON.stringify({
      success: true,
      keys,
      signature: { kid: serverKey.kid, v1: serverKey.sign(keySetToSign) },
    }),
    signed_text: keySetToSign,
  },
  license_file: {
    fingerprint,
    valid_at: '2027-01-02T00:00:00.000Z',
    signed_text: fileToSign,
    file: `${header}.${payload}.${serverKey.sign(fileToSign)}`,
  },
}
writeFileSync(FILE, `${JSON.stringify(vectors, null, 2)}\n`)
