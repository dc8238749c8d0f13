import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS as STORE } from '../../sdk/client/api/operations.gen.ts'
import { OPERATIONS as MANAGEMENT } from '../../sdk/client-security/management/api/operations.gen.ts'
import { product } from '../build.ts'
import { sellerAt } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { ROOT } from '../process/build-once.ts'

const run = promisify(execFile)

let tradepost: Tradepost
let address: string
beforeAll(async () => {
  tradepost = await openTradepost()
  address = await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => tradepost.close())

const unescaped = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The sample of an operation as a reader copies it. */
async function sampleOf(page: string, id: string, language: string): Promise<string> {
  const { body } = await tradepost.server.inject({ method: 'GET', url: page })
  const section = body.slice(body.indexOf(`<section class="operation" id="${id}"`))
  const figure = section.slice(section.indexOf(`data-language="${language}"`))
  const [, code = ''] = /<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/.exec(figure) ?? []
  return unescaped(code)
}

/** Runs a sample in a shell, with real ids in place of those of the page. */
async function runSample(sample: string, ids: Record<string, string> = {}): Promise<Json> {
  const script = Object.entries({ 'http://127.0.0.1:4100': address, ...ids }).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    sample,
  )
  const env = {
    ...process.env,
    TRADEPOST_API_KEY: tradepost.live.api_key,
    TRADEPOST_STORE: tradepost.live.id,
    TRADEPOST_SECURITY_KEY: (await sellerAt(tradepost)).key,
    no_proxy: '127.0.0.1',
  }
  const { stdout } = await run('bash', ['-c', script.replace(/^curl /, 'curl -sS ')], { env })
  return JSON.parse(stdout)
}

describe('samples in curl', () => {
  test.each([
    ['/docs/store/account', 'account.get', 'account'],
    ['/docs/store/products', 'products.create', 'product'],
    ['/docs/store/products', 'products.list', 'products'],
    ['/docs/store/categories', 'categories.create', 'category'],
    ['/docs/store/coupons', 'coupons.create', 'coupon'],
    ['/docs/store/fulfillment', 'shipping.create_zone', 'zone'],
    ['/docs/store/webhooks', 'events.types', 'types'],
    ['/docs/security/apps', 'apps.create', 'app'],
    ['/docs/security/license-keys', 'license_keys.list', 'keys'],
  ])('%s: %s runs as it is printed', async (page, id, name) => {
    const answer = await runSample(await sampleOf(page, id, 'curl'))
    expect(answer).toMatchObject({ success: true })
    expect(answer).toHaveProperty(name)
  })

  test('orders.create and orders.refund run with the ids of real records', async () => {
    const { id } = await product(tradepost, {}, { keys: ['KEY-1'] })
    const create = await sampleOf('/docs/store/orders', 'orders.create', 'curl')
    const { order } = await runSample(create, { a1B2c3D4e5F6: id })
    expect(order.status).toBe('pending')
    const pay = await sampleOf('/docs/store/orders', 'orders.add_manual_payment', 'curl')
    const ids = { ord_0350000000000000000000: order.id }
    expect((await runSample(pay, ids)).order.status).toBe('completed')
    const refund = await sampleOf('/docs/store/orders', 'orders.refund', 'curl')
    expect((await runSample(refund, ids)).refund.amount_cents).toBe(500)
  })

  test('a text with quotes and dollars reaches the server as it was', async () => {
    const sample = await sampleOf('/docs/store/products', 'products.create', 'curl')
    const { product: made } = await runSample(
      sample.replace(/"name": "[^"]*"/, `"name": "$HOME '\\''"`),
    )
    expect(made.name).toBe("$HOME '")
  })
})

const TYPESCRIPT = /data-language="TypeScript"[\s\S]*?<code>([\s\S]*?)<\/code>/g

/** The pages of the areas of an API. */
async function pagesOf(api: string): Promise<string[]> {
  const get = async (url: string) => (await tradepost.server.inject({ method: 'GET', url })).body
  const links = (await get('/docs')).matchAll(new RegExp(`href="(/docs/${api}/[a-z-]+)"`, 'g'))
  return Promise.all([...new Set([...links].map(([, url = '']) => url))].map(get))
}

describe('samples in TypeScript', () => {
  test.each([
    ['tradepost', 'store', STORE],
    ['management', 'security', MANAGEMENT],
  ])('every operation of %s is called as the client names it', async (client, api, operations) => {
    const methods = Object.entries<object>(operations).flatMap(([area, own]) =>
      Object.keys(own).map((name) => `${client}.${area}.${name}(`),
    )
    const pages = await pagesOf(api)
    const text = unescaped(pages.join())
    expect(methods.filter((call) => !text.includes(call))).toEqual([])
  })

  test('every sample of the clients compiles', async () => {
    const pages = await Promise.all(['store', 'security'].map(pagesOf))
    const samples = pages
      .flat()
      .flatMap((page) => [...page.matchAll(TYPESCRIPT)])
      .map(([, code = '']) => unescaped(code))
      .filter((code) => !/^import|\bprogram\./m.test(code))
    expect(samples.length).toBeGreaterThan(200)
    const program = [
      `import type { Tradepost } from '${join(ROOT, 'sdk/client/index.ts')}'`,
      `import type { Management } from '${join(ROOT, 'sdk/client-security/management/index.ts')}'`,
      'export const all = (tradepost: Tradepost, management: Management, file: Blob) => [',
      ...samples.map((code) => `async () => {\n${code}\n},`),
      ']',
    ]
    const folder = await mkdtemp(join(tmpdir(), 'tradepost-samples-'))
    await writeFile(join(folder, 'samples.ts'), program.join('\n'))
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['ES2023', 'DOM'],
      types: [],
    }
    const project = JSON.stringify({ compilerOptions, files: ['samples.ts'] })
    await writeFile(join(folder, 'tsconfig.json'), project)
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const compiled = run(process.execPath, [tsc, '-p', folder])
    const findings = await compiled.then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
    await rm(folder, { recursive: true })
    expect(findings).toBe('')
  })
})
