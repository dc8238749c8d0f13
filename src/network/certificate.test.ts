import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { selfSigned } from '../../test/self-signed.ts'
import { readCertificate } from './certificate.ts'

let server: Server | undefined

afterEach(() => void server?.close())

test('the end of a certificate is read, and why clients refuse it', async () => {
  server = createServer(selfSigned(), (_, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { ends_ms, refusal } = await readCertificate(`https://127.0.0.1:${port}/shop`)
  expect(ends_ms).toBe(Date.parse('2120-01-01T00:00:00Z'))
  expect(refusal).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
})

test('a server that does not answer is an error', async () => {
  await expect(readCertificate('https://127.0.0.1:1')).rejects.toThrow('ECONNREFUSED')
})
