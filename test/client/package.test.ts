import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildOnce, ROOT } from '../process/build-once.ts'

/** A seller's program in a new folder with the installed package. */
let folder: string

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'tradepost-seller-'))
  await mkdir(join(folder, 'node_modules'))
  await symlink(ROOT, join(folder, 'node_modules', 'tradepost'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Timeout of the compiler, which also reads its own types. */
const COMPILER_MS = 120_000

const PROGRAM = `
import { createClient, type Order, TradepostError } from 'tradepost/client'

const tradepost = createClient({ url: 'http://127.0.0.1:9/v1', apiKey: 'k', storeHash: 's', retries: 0 })

export async function paid(): Promise<Order[]> {
  const orders: Order[] = []
  for await (const { id } of tradepost.orders.list({ status: ['paid'] })) {
    const { order } = await tradepost.orders.get(id)
    orders.push(order)
  }
  return orders
}

export const codeOf = (error: unknown) => (error instanceof TradepostError ? error.code : undefined)

// @ts-expect-error An unknown status.
void tradepost.orders.list({ status: ['payed'] }).catch(() => {})
// @ts-expect-error A missing field.
void tradepost.products.create({}).catch(() => {})
`

test.each(['nodenext', 'bundler'])(
  'its types are found and hold with moduleResolution %s',
  async (resolution) => {
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      module: resolution === 'bundler' ? 'esnext' : resolution,
      moduleResolution: resolution,
    }
    const project = join(folder, 'tsconfig.json')
    await writeFile(project, JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })
    expect(stdout).toBe('')
  },
  COMPILER_MS,
)

test('it is found by a program that runs, and says that nobody answers', async () => {
  const program = `
    import { createClient } from 'tradepost/client'
    const client = createClient({ url: 'http://127.0.0.1:9/v1', apiKey: 'k', storeHash: 's', retries: 0 })
    await client.account.get().catch(({ name, code }) => console.log(name, code))`
  await writeFile(join(folder, 'program.mjs'), program)
  const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout).toBe('TradepostError NO_ANSWER\n')
})

test('it imports nothing but itself, so it runs wherever there is fetch', async () => {
  const built = join(ROOT, 'dist', 'sdk', 'client')
  const files = (await readdir(built, { recursive: true })).filter((name) => name.endsWith('.js'))
  expect(files).toContain('index.js')
  for (const name of files) {
    const text = await readFile(join(built, name), 'utf8')
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)]
    for (const [, what] of imports) expect(files).toContain(join(dirname(name), String(what)))
    expect(text, name).not.toMatch(/\b(process|Buffer|require)\b[.(]/)
  }
})

test('what the guides name of sdk/ is in the package', async () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const packed = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path)
  const guides = packed.filter((path: string) => path.startsWith('docs/guides/'))
  const texts = await Promise.all(guides.map((path: string) => readFile(join(ROOT, path), 'utf8')))
  const named = texts.join('\n').match(/\bsdk\/[\w/-]+\.\w+/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  for (const path of named) expect(packed).toContain(path)
})
