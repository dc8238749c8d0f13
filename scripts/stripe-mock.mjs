// Keeps stripe-mock, the mock of Stripe's API that Stripe itself publishes, and prints its path. It knows all
// parameters of one version of the API and refuses others. It needs Go.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const VERSION = 'v0.203.0'
/** The version of the API that this version of the mock knows. */
export const MOCKED_API_VERSION = '2026-08-26.dahlia'
const CACHE = fileURLToPath(new URL('../node_modules/.cache', import.meta.url))
const FILE = join(CACHE, `stripe-mock-${VERSION}`)

/** Returns the path of the program, which is built once. Throws if there is no Go. */
export async function installStripeMock() {
  if (existsSync(FILE)) return FILE
  await mkdir(dirname(FILE), { recursive: true })
  // Each process builds in a folder of its own, because several may need the program at once.
  const folder = await mkdtemp(join(CACHE, 'stripe-mock-build-'))
  try {
    const env = { ...process.env, GOBIN: folder }
    const target = `github.com/stripe/stripe-mock@${VERSION}`
    await promisify(execFile)('go', ['install', target], { env })
    await rename(join(folder, 'stripe-mock'), FILE)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return FILE
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${await installStripeMock()}\n`)
