import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  cert: string
  key: string
}

// Tags of DER.
const BOOLEAN = 0x01
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const UTF8_STRING = 0x0c
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31
/** The tags of the version and the extensions of a certificate, and of the DNS name and IP address of its subject. */
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** Creates a self-signed certificate for 127.0.0.1 and localhost, valid from 2020 to 2120. */
export function selfSigned(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const commonName = oid('550403')
  const localhostName = sequence(
    der(SET, sequence(commonName, der(UTF8_STRING, Buffer.from('localhost')))),
  )
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const alternativeNames = sequence(
    der(DNS_NAME, Buffer.from('localhost')),
    der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])),
  )
  const extension = (id: string, value: Buffer) => sequence(oid(id), der(OCTET_STRING, value))
  const unsigned = sequence(
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    localhostName,
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    localhostName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      EXTENSIONS,
      sequence(
        // subjectAltName
        extension('551d11', alternativeNames),
        // basicConstraints, with CA true
        extension('551d13', sequence(der(BOOLEAN, Buffer.from([255])))),
      ),
    ),
  )
  const signature = sign('sha256', unsigned, privateKey)
  const certificate = sequence(
    unsigned,
    ecdsaWithSha256,
    der(BIT_STRING, Buffer.from([0]), signature),
  )
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const sequence = (...parts: Buffer[]): Buffer => der(SEQUENCE, ...parts)
const oid = (hex: string): Buffer => der(OBJECT_IDENTIFIER, Buffer.from(hex, 'hex'))
const time = (text: string): Buffer => der(GENERALIZED_TIME, Buffer.from(text))

/** Returns a value in DER: a tag, the length, and the content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content])
}

/** Returns the encoded length. From 128 on, the first byte has the number of bytes that follow. */
function lengthBytes(length: number): number[] {
  if (length < 128) return [length]
  if (length < 256) return [0x81, length]
  return [0x82, Math.floor(length / 256), length % 256]
}
