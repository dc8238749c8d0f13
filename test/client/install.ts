import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildOnce, ROOT } from '../process/build-once.ts'

const run = promisify(execFile)

/** A program that hangs is ended after this time. */
const PROGRAM_MS = 120_000

/** The project of a seller, in which only the packed client is installed. */
export interface Project {
  folder: string
  tarball: string
  write(name: string, text: string): Promise<string>
  /** Runs a file of the project and returns what it printed. */
  run(name: string, env?: Record<string, string>): Promise<{ stdout: string; stderr: string }>
  remove(): Promise<void>
}

/** Packs the client and installs it into an empty folder, without the network. */
export async function installClient(): Promise<Project> {
  await buildOnce()
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-seller-'))
  // The prepack script would build the package a second time.
  const pack = ['pack', '--ignore-scripts', '--pack-destination', folder]
  await run('npm', pack, { cwd: join(ROOT, 'sdk') })
  const [tarball = ''] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const install = ['install', `./${tarball}`, '--offline', '--no-audit', '--no-fund']
  await run('npm', install, { cwd: folder })
  return {
    folder,
    tarball: join(folder, tarball),
    async write(name, text) {
      const file = join(folder, name)
      await writeFile(file, text)
      return file
    },
    run: (name, env = {}) =>
      run(process.execPath, [name], {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env },
        timeout: PROGRAM_MS,
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
