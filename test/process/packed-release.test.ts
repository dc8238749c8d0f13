import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IS_WHOLE } from '../walks.ts'
import { buildOnce, ROOT } from './build-once.ts'
import { createInstallation } from './spawn-server.ts'

const run = promisify(execFile)
/** An image has at most 250 MB. Its base, Node on distroless, has less than 160 MB. */
const BYTES_MAX = 90_000_000

let folder: string

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'tradepost-release-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function sellOnce(root: string, node = process.execPath): Promise<void> {
  const program = join(root, 'bin', 'tradepost.mjs')
  const installation = await createInstallation(
    {},
    { program, node, ...(node !== process.execPath && { v8Flags: [] }) },
  )
  try {
    const { origin } = await installation.start()
    const env = { PATH: process.env.PATH, TRADEPOST_READY_FILE: installation.readyFile }
    const { stdout } = await run(node, [join(root, 'examples', 'first-sale.mjs')], { env })
    expect(stdout).toMatch(/The first sale is complete\./)
    // The guides are read, and the search is loaded, when they are first used.
    expect(await (await fetch(`${origin}/docs/guides/backup`)).text()).toContain('<h1>Backup</h1>')
    expect(await (await fetch(`${origin}/docs/search.json?q=bakup`)).text()).toContain('backup')
    const healthcheck = join(root, 'bin', 'healthcheck.mjs')
    await run(node, [healthcheck], { env: { PORT: new URL(origin).port } })
    await expect(run(node, [healthcheck], { env: { PORT: '1' } })).rejects.toThrow()
  } finally {
    await installation.close()
  }
}

test('the files of the container image start a server that sells a product, and have less than 90 MB', async () => {
  const image = join(folder, 'image')
  const script = join(ROOT, 'scripts', 'image-files.mjs')
  const { stdout } = await run(process.execPath, [script, image])
  const { bytes } = JSON.parse(stdout)
  process.stdout.write(
    `files of the image: ${(bytes / 1e6).toFixed(1)} MB, with a base of less than 160 MB\n`,
  )
  expect(bytes).toBeLessThan(BYTES_MAX)
  await sellOnce(image)
})

/** The lock file and `overrides` are not in the tarball, so npm chooses the versions (decision 133). */
const INSTALL = ['install', '--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund']

/** Packs the product, and installs it into a new folder, which is returned. */
async function installPacked(name: string, env = process.env): Promise<string> {
  const empty = join(folder, name)
  await mkdir(empty)
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', empty], { cwd: ROOT })
  const tarball = (await readdir(empty)).find((file) => file.endsWith('.tgz')) ?? ''
  await writeFile(join(empty, 'package.json'), '{"private":true}')
  await run('npm', [...INSTALL, join(empty, tarball)], { cwd: empty, env })
  return empty
}

test('a packed tarball that is installed into an empty folder supports this Node with all its packages, and starts a server that sells a product', async () => {
  const empty = await installPacked('empty')
  const { stdout } = await run('npx', ['tradepost', '--version'], { cwd: empty })
  const { stdout: head } = await run('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: ROOT })
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect(stdout.trim().replace(', changed)', ')')).toBe(`${version} (commit ${head.trim()})`)
  await sellOnce(join(empty, 'node_modules', 'tradepost'))
})

// It installs each Node from the registry, which takes a minute.
if (IS_WHOLE)
  test.each(['20.19', '22.12', '22', '24'])(
    'the packed product installs with --engine-strict on Node %s, and sells a product there',
    async (version) => {
      const folderOfNode = join(folder, `node-${version}`)
      await mkdir(folderOfNode)
      const name = `node-${process.platform}-${process.arch}`
      await run('npm', [...INSTALL, '--prefix', folderOfNode, `${name}@${version}`])
      const node = join(folderOfNode, 'node_modules', name, 'bin', 'node')
      const { stdout } = await run(node, ['--version'])
      expect(stdout).toMatch(new RegExp(`^v${version.replace('.', '\\.')}\\.`))
      // npm runs with the first Node on the PATH.
      const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
      const empty = await installPacked(`product-${version}`, env)
      await sellOnce(join(empty, 'node_modules', 'tradepost'), node)
    },
  )
