import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  cert: string
  key: string
}

/** A fresh certificate for 127.0.0.1 and localhost that its own key signed, valid from 2020 to 2120. */
export function selfSigned(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = seq(der(0x31, seq(oid('550403'), der(0x0c, Buffer.from('localhost')))))
  const ecdsaWithSha256 = seq(oid('2a8648ce3d040302'))
  const names = seq(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const extension = (id: string, value: Buffer) => seq(oid(id), der(0x04, value))
  const unsigned = seq(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    seq(moment('20200101000000Z'), moment('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      seq(extension('551d11', names), extension('551d13', seq(der(0x01, Buffer.from([255]))))),
    ),
  )
  const signature = sign('sha256', unsigned, privateKey)
  const whole = seq(unsigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const seq = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const moment = (text: string): Buffer => der(0x18, Buffer.from(text))

/** A tag, the length of what follows, and that. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length =
    size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, Math.floor(size / 256), size % 256]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
