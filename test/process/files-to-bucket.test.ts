import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAKE_BUCKET, FAKE_KEY, FAKE_REGION, type FakeS3, startFakeS3 } from '../fake-s3.ts'
import { call, expectStatus, type Target } from './client.ts'
import { createMigratedInstallation, type Installation, type Server } from './spawn-server.ts'

const NAMES = ['one.txt', 'two.txt', 'three.txt']
const contentOf = (name: string): string => `The content of ${name}`

let installation: Installation
let bucket: FakeS3
let settings: Record<string, string>

beforeAll(async () => {
  bucket = await startFakeS3()
  settings = {
    TRADEPOST_S3_ENDPOINT: bucket.endpoint,
    TRADEPOST_S3_BUCKET: FAKE_BUCKET,
    TRADEPOST_S3_REGION: FAKE_REGION,
    TRADEPOST_S3_ACCESS_KEY_ID: FAKE_KEY.accessKeyId,
    TRADEPOST_S3_SECRET_ACCESS_KEY: FAKE_KEY.secretAccessKey,
  }
  installation = await createMigratedInstallation()
})
afterAll(async () => {
  await installation.close()
  await bucket.close()
})

async function upload({ origin, live }: Server): Promise<void> {
  const target: Target = { origin, store: live.id, key: live.api_key ?? '' }
  const created = await call(target, 'POST', '/products', {
    body: { name: 'Guide', price_cents: 1 },
  })
  const path = `/products/${created.json.product.id}/files`
  for (const name of NAMES) {
    const content_base64 = Buffer.from(contentOf(name)).toString('base64')
    const body = { name, mime_type: 'text/plain', content_base64 }
    expectStatus(await call(target, 'POST', path, { body }))
  }
}

async function stop(server: Server): Promise<void> {
  server.signal('SIGTERM')
  await server.ended
}

async function copy(env: Record<string, string>) {
  const { code, stdout, stderr } = await installation.run(['files', 'to-bucket', '--json'], env)
  return { code, answer: stdout && JSON.parse(stdout), stderr }
}

test('files to-bucket copies each file to the bucket once, and names files that are nowhere', async () => {
  const local = await installation.start()
  await upload(local)
  const refused = await copy({})
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('TRADEPOST_S3_BUCKET') })
  await stop(local)

  const server = await installation.start(settings)
  expect(await copy(settings)).toMatchObject({
    code: 0,
    answer: { ok: true, copied: 3, present: 0, missing: [] },
  })
  const texts = [...bucket.objects.values()].map(String)
  expect(texts.sort()).toEqual(NAMES.map(contentOf).sort())
  expect((await copy(settings)).answer).toMatchObject({ copied: 0, present: 3 })
  await stop(server)

  const [[path = ''] = []] = [...bucket.objects]
  bucket.objects.set(path, Buffer.from('shorter'))
  expect((await copy(settings)).answer).toMatchObject({ copied: 1, present: 2 })
  expect(String(bucket.objects.get(path))).toMatch(/^The content of/)

  bucket.objects.clear()
  await rm(join(installation.dataDir, 'files'), { recursive: true })
  const lost = await copy(settings)
  expect(lost).toMatchObject({ code: 1, answer: { ok: false, copied: 0, present: 0 } })
  expect(lost.answer.missing).toHaveLength(3)
})
