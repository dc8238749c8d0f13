import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dispatcher, startDispatcher } from '../../src/features/webhooks/index.ts'
import { installClient, type Project } from '../client/install.ts'
import { listen } from '../client/open-client.ts'
import { openUnlimited } from '../contract/prepared-calls.ts'
import type { Tradepost } from '../harness.ts'
import { ROOT } from './build-once.ts'

const run = promisify(execFile)

let project: Project
let tradepost: Tradepost
let dispatcher: Dispatcher

beforeAll(async () => {
  project = await installClient()
  tradepost = await openUnlimited()
  dispatcher = startDispatcher(tradepost.app)
})
afterAll(async () => {
  await dispatcher.stop()
  await tradepost.close()
  await project.remove()
})

const PROGRAM = `
import { createClient, type Order, TradepostError } from '@tradepost/client'
import { ClientSecurity, type DeviceSigner, type LicenseAnswer } from '@tradepost/client/client-security'
import { createManagementClient, type Management } from '@tradepost/client/client-security/management'
import { verify, type WebhookEvent } from '@tradepost/client/webhooks'

const tradepost = createClient({ url: 'http://127.0.0.1:9/v1', apiKey: 'k', storeHash: 's', retries: 0 })

export async function listPaidOrders(): Promise<Order[]> {
  const orders: Order[] = []
  for await (const { id } of tradepost.orders.list({ status: ['paid'] })) {
    const { order } = await tradepost.orders.get(id)
    orders.push(order)
  }
  return orders
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof TradepostError ? error.code : undefined
export const read = (request: Request): Promise<WebhookEvent> =>
  verify(request.body ? 'text' : new Uint8Array(), request.headers, 'whsec_1')
export const start = (program: ClientSecurity): Promise<LicenseAnswer> => program.start('key')

export const open = (device: DeviceSigner | undefined, timeout_ms: number | undefined): ClientSecurity =>
  new ClientSecurity({ url: '', appId: '', keys: [], fingerprint: '', device, timeout_ms })

export const manage = (url: string | undefined): Management => createManagementClient({ url, apiKey: 'k', timeout_ms: undefined })

// @ts-expect-error An unknown status.
void tradepost.orders.list({ status: ['payed'] }).catch(() => {})
// @ts-expect-error A missing field.
void tradepost.products.create({}).catch(() => {})
`

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
  declaration: true,
  outDir: 'types',
  emitDeclarationOnly: true,
  skipLibCheck: false,
  target: 'ES2022',
}
const BROWSER = { types: [], lib: ['ES2022', 'DOM', 'DOM.Iterable'] }
const NODE = { types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')], lib: ['ES2022'] }

/** Compiles files of the project with strict settings, and returns the errors of the compiler. */
async function compile(files: string[], options: object): Promise<string> {
  const compilerOptions = { ...STRICT, ...options }
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  return runCompiler(project.folder)
}

/** Runs the compiler in a folder, and returns its errors. */
function runCompiler(folder: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  return run(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}

test.each([
  ['a browser and a bundler', { module: 'esnext', moduleResolution: 'bundler', ...BROWSER }],
  ['Node', { module: 'nodenext', moduleResolution: 'nodenext', ...NODE }],
])('a program for %s compiles with the strictest settings', async (_, options) => {
  await project.write('program.ts', PROGRAM)
  expect(await compile(['program.ts'], options)).toBe('')
})

/** Prints "true function function true" when it runs. */
const SMALL_PROGRAM = `
import { createClient, type Order, TradepostError } from '@tradepost/client'
import { ClientSecurity } from '@tradepost/client/client-security'
import { createManagementClient } from '@tradepost/client/client-security/management'
import { verify, WebhookVerificationError } from '@tradepost/client/webhooks'

const tradepost = createClient({ url: 'http://127.0.0.1:9/v1', apiKey: 'k', storeHash: 's', retries: 0 })
// @ts-expect-error A number.
export const totalOf = (order: Order): string => order.total_cents

async function run() {
  const unsigned = await verify('{}', {}, 'whsec_1').catch((error: unknown) => error)
  const unreachable = await tradepost.orders.get('ord_1').catch((error: unknown) => error)
  const isVerified = unsigned instanceof WebhookVerificationError
  console.log(isVerified, typeof ClientSecurity, typeof createManagementClient, unreachable instanceof TradepostError)
}
void run()
`

test.each([
  ['node10', 'commonjs', { module: 'commonjs', moduleResolution: 'node10' }],
  ['node16, as CommonJS', 'commonjs', { module: 'node16', moduleResolution: 'node16' }],
  ['node16, as an ES module', 'module', { module: 'node16', moduleResolution: 'node16' }],
  ['bundler', 'module', { module: 'esnext', moduleResolution: 'bundler' }],
])('a program that is compiled with the resolution %s runs', async (_, type, resolution) => {
  const folder = join(project.folder, `resolved-${resolution.moduleResolution}-${type}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }))
  await writeFile(join(folder, 'program.ts'), SMALL_PROGRAM)
  const compilerOptions = {
    ...{ strict: true, skipLibCheck: false, target: 'ES2022', outDir: 'out', rootDir: '.' },
    ...{ ignoreDeprecations: '6.0', ...NODE, ...resolution },
  }
  const settings = { compilerOptions, files: ['program.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  expect(await runCompiler(folder)).toBe('')
  const { stdout } = await run(process.execPath, [join(folder, 'out', 'program.js')])
  expect(stdout).toBe('true function function true\n')
})

test("the programs in the package's README compile", async () => {
  const readme = await readFile(join(ROOT, 'sdk', 'README.md'), 'utf8')
  const programs = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  const names = await Promise.all(
    programs.map(async (text, n) => {
      await project.write(`readme-${n}.ts`, text)
      return `readme-${n}.ts`
    }),
  )
  expect(names.length).toBeGreaterThanOrEqual(3)
  const options = { module: 'nodenext', moduleResolution: 'nodenext', ...NODE }
  expect(await compile(names, options)).toBe('')
})

test('a program creates an order and verifies its webhook with the package, which is installed offline into an empty folder', async () => {
  await project.write(
    'sale.mjs',
    `
    import { once } from 'node:events'
    import { createServer } from 'node:http'
    import { buffer } from 'node:stream/consumers'
    import { createClient } from '@tradepost/client'
    import { verify, WebhookVerificationError } from '@tradepost/client/webhooks'

    const receiver = createServer().listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const delivered = once(receiver, 'request')
    const { URL_OF_API: url, KEY: apiKey, STORE: storeHash } = process.env
    const tradepost = createClient({ url, apiKey, storeHash })
    const { secret } = await tradepost.webhooks.create({
      url: 'http://127.0.0.1:' + receiver.address().port,
      events: ['order.completed'],
    })
    const { product, variants } = await tradepost.products.create({ name: 'Editor', price_cents: 1999 })
    await tradepost.stock.addKeys(product.id, variants[0].id, { keys: ['AAAA-1', 'AAAA-2'] })
    const { order } = await tradepost.orders.create({
      items: [{ product_id: product.id, quantity: 2 }],
      customer: { email: 'ada@example.com' },
      mark_paid: true,
    })
    console.log(order.total_cents)

    const [request, response] = await delivered
    const body = await buffer(request)
    response.end()
    const event = await verify(body, request.headers, secret)
    console.log(event.type, event.data.object.id === order.id)
    const forged = await verify(body + ' ', request.headers, secret).catch((error) => error)
    console.log(forged instanceof WebhookVerificationError, forged.fault)
    receiver.close()
    receiver.closeAllConnections()`,
  )
  const { stdout, stderr } = await project.run('sale.mjs', {
    URL_OF_API: await listen(tradepost),
    KEY: tradepost.live.api_key ?? '',
    STORE: tradepost.live.id,
  })
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toEqual(['3998', 'order.completed true', 'true no_match', ''])
})

test('the package imports only its own files, and uses nothing that only Node has', async () => {
  const distFolder = join(project.folder, 'node_modules', '@tradepost', 'client', 'dist')
  const files = (await readdir(distFolder, { recursive: true })).filter((name) =>
    name.endsWith('.js'),
  )
  expect(files).toContain(join('client', 'index.js'))
  for (const name of files) {
    const text = (await readFile(join(distFolder, name), 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '')
    const isImport = /(?:\bfrom|^import|\b(?:import|require)\()\s*['"]([^'"]+)['"]/gm
    const imports = [...text.matchAll(isImport)]
    for (const [, specifier] of imports)
      expect(files).toContain(join(dirname(name), String(specifier)))
    const ofNode = name.startsWith('cjs')
      ? /\b(process|Buffer)\b[.(]/
      : /\b(process|Buffer|require)\b[.(]/
    expect(text, name).not.toMatch(ofNode)
  }
})

/** Returns the paths that `npm pack` would put into a package. */
async function packedFiles(folder: string, options: string[] = []): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', ...options], { cwd: folder })
  return JSON.parse(stdout.slice(stdout.indexOf('[')))[0].files.map(
    ({ path }: { path: string }) => path,
  )
}

test('the package contains its license, README and declarations, and no sources', async () => {
  const paths = await packedFiles(join(ROOT, 'sdk'), ['--ignore-scripts'])
  for (const path of ['LICENSE', 'README.md', 'client-security/vectors.json']) {
    expect(paths).toContain(path)
  }
  const { exports } = JSON.parse(await readFile(join(ROOT, 'sdk', 'package.json'), 'utf8'))
  for (const part of Object.values<string | Record<string, Record<string, string>>>(exports)) {
    if (typeof part === 'string') continue
    for (const path of Object.values(part).flatMap((files) => Object.values(files)))
      expect(paths).toContain(path.replace('./', ''))
  }
  expect(paths.filter((path) => /(?<!\.d)\.ts$|^dashboard|\.test\./.test(path))).toEqual([])
})

test('npm pack builds the package first', async () => {
  const copy = join(project.folder, 'clone')
  await mkdir(join(copy, 'scripts'), { recursive: true })
  const isSource = (path: string) => !path.includes(join(ROOT, 'sdk', 'dist'))
  await cp(join(ROOT, 'sdk'), join(copy, 'sdk'), { recursive: true, filter: isSource })
  for (const name of ['tsconfig.json', 'scripts/build.mjs']) {
    await cp(join(ROOT, name), join(copy, name))
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  expect(await packedFiles(join(copy, 'sdk'))).toContain('dist/client/index.js')
  await rm(copy, { recursive: true })
})

test('the package of the server does not contain or import the client', async () => {
  const paths = await packedFiles(ROOT, ['--ignore-scripts'])
  expect(paths.filter((path) => path.startsWith('dist/sdk') || path.startsWith('sdk/'))).toEqual([
    'sdk/client-security/vectors.json',
  ])
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect(Object.keys(dependencies)).not.toContain('@tradepost/client')
  const builtFiles = await readdir(join(ROOT, 'dist'), { recursive: true })
  for (const name of builtFiles.filter(
    (path) => path.endsWith('.js') && !path.includes('assets'),
  )) {
    const text = await readFile(join(ROOT, 'dist', name), 'utf8')
    expect(text, name).not.toMatch(/^(import|export) .*from '@tradepost\//m)
  }
})

test('all files of sdk/ that the guides name are in the package of the server', async () => {
  const packagePaths = await packedFiles(ROOT, ['--ignore-scripts'])
  const guides = packagePaths.filter((path) => path.startsWith('docs/guides/'))
  const texts = await Promise.all(guides.map((path) => readFile(join(ROOT, path), 'utf8')))
  const namedPaths = texts.join('\n').match(/\bsdk\/[\w/-]+\.\w+/g) ?? []
  expect(namedPaths.length).toBeGreaterThan(0)
  for (const path of namedPaths) expect(packagePaths).toContain(path)
})
