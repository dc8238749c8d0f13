import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS as STORE_OPERATIONS } from '../../sdk/client/api/operations.gen.ts'
import { OPERATIONS as MANAGEMENT_OPERATIONS } from '../../sdk/client-security/management/api/operations.gen.ts'
import { product } from '../build.ts'
import { createSeller } from '../client-security/seller.ts'
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

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Returns the sample of an operation as a reader copies it. */
async function sampleOf(page: string, id: string, language: string): Promise<string> {
  const { body } = await tradepost.server.inject({ method: 'GET', url: page })
  const section = body.slice(body.indexOf(`<section class="operation" id="${id}"`))
  const figure = section.slice(section.indexOf(`data-language="${language}"`))
  const [, code = ''] = /<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/.exec(figure) ?? []
  return textOf(code)
}

/** Runs a sample in a shell, with `ids` instead of the ids of the page. */
async function runSample(sample: string, ids: Record<string, string> = {}): Promise<Json> {
  const script = Object.entries({ 'http://127.0.0.1:4100': address, ...ids }).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    sample,
  )
  const env = {
    ...process.env,
    TRADEPOST_API_KEY: tradepost.live.api_key,
    TRADEPOST_STORE: tradepost.live.id,
    TRADEPOST_SECURITY_KEY: (await createSeller(tradepost)).key,
    no_proxy: '127.0.0.1',
  }
  const { stdout } = await run('bash', ['-c', script.replace(/^curl /, 'curl -sS ')], { env })
  return JSON.parse(stdout)
}

describe('a sample in curl', () => {
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
  ])('on the page %s for %s succeeds as printed', async (page, id, name) => {
    const answer = await runSample(await sampleOf(page, id, 'curl'))
    expect(answer).toMatchObject({ success: true })
    expect(answer).toHaveProperty(name)
  })

  test('for orders.create, orders.add_manual_payment and orders.refund succeeds with ids of real records', async () => {
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

  test('sends a text with quotes and dollar signs unchanged', async () => {
    const sample = await sampleOf('/docs/store/products', 'products.create', 'curl')
    const { product: newProduct } = await runSample(
      sample.replace(/"name": "[^"]*"/, `"name": "$HOME '\\''"`),
    )
    expect(newProduct.name).toBe("$HOME '")
  })
})

const TYPESCRIPT = /data-language="TypeScript"[\s\S]*?<code>([\s\S]*?)<\/code>/g

/** Returns the pages of the areas of an API. */
async function getPagesOf(api: string): Promise<string[]> {
  const get = async (url: string) => (await tradepost.server.inject({ method: 'GET', url })).body
  const links = (await get('/docs')).matchAll(new RegExp(`href="(/docs/${api}/[a-z-]+)"`, 'g'))
  return Promise.all([...new Set([...links].map(([, url = '']) => url))].map(get))
}

describe('the samples in TypeScript', () => {
  test.each([
    ['tradepost', 'store', STORE_OPERATIONS],
    ['management', 'security', MANAGEMENT_OPERATIONS],
  ])('call every method of the client `%s`', async (client, api, operations) => {
    const calls = Object.entries<object>(operations).flatMap(([area, methodsOfArea]) =>
      Object.keys(methodsOfArea).map((name) => `${client}.${area}.${name}(`),
    )
    const pages = await getPagesOf(api)
    const text = textOf(pages.join())
    expect(calls.filter((call) => !text.includes(call))).toEqual([])
  })

  test('of the Store API and of the management half compile', async () => {
    const pages = await Promise.all(['store', 'security'].map(getPagesOf))
    const samples = pages
      .flat()
      .flatMap((page) => [...page.matchAll(TYPESCRIPT)])
      .map(([, code = '']) => textOf(code))
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
    const projectConfig = JSON.stringify({ compilerOptions, files: ['samples.ts'] })
    await writeFile(join(folder, 'tsconfig.json'), projectConfig)
    const tsc = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc')
    const compilation = run(process.execPath, [tsc, '-p', folder])
    const findings = await compilation.then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
    await rm(folder, { recursive: true })
    expect(findings).toBe('')
  })
})
