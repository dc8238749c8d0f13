import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

async function sellOnce(root: string): Promise<void> {
  const installation = await createInstallation({}, { program: join(root, 'bin', 'tradepost.mjs') })
  try {
    const { origin } = await installation.start()
    const env = { PATH: process.env.PATH, TRADEPOST_READY_FILE: installation.readyFile }
    const { stdout } = await run(process.execPath, [join(root, 'examples', 'first-sale.mjs')], {
      env,
    })
    expect(stdout).toMatch(/The first sale is complete\./)
    // The guides are read, and the search is loaded, when they are first used.
    expect(await (await fetch(`${origin}/docs/guides/backup`)).text()).toContain('<h1>Backup</h1>')
    expect(await (await fetch(`${origin}/docs/search.json?q=bakup`)).text()).toContain('backup')
    const healthcheck = join(root, 'bin', 'healthcheck.mjs')
    await run(process.execPath, [healthcheck], { env: { PORT: new URL(origin).port } })
    await expect(run(process.execPath, [healthcheck], { env: { PORT: '1' } })).rejects.toThrow()
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

test('a packed tarball that is installed into an empty folder supports this Node with all its packages, and starts a server that sells a product', async () => {
  const empty = join(folder, 'empty')
  await run('mkdir', [empty])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  await writeFile(join(empty, 'package.json'), '{"private":true}')
  // The lock file and `overrides` are not in the tarball, so npm chooses the versions (decision 133).
  const options = ['--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', join(folder, tarball), ...options], { cwd: empty })
  const { stdout } = await run('npx', ['tradepost', '--version'], { cwd: empty })
  const { stdout: head } = await run('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: ROOT })
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect(stdout.trim().replace(', changed)', ')')).toBe(`${version} (commit ${head.trim()})`)
  await sellOnce(join(empty, 'node_modules', 'tradepost'))
})
