// Writes the files of the container image into a folder: the packed release with its production dependencies.
// Usage: node scripts/image-files.mjs FOLDER. Prints the sum of their sizes as JSON.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The files that only a developer's tools read. */
const DEVELOPMENT_FILES =
  /\.(map|d\.ts|d\.cts|d\.mts|md|markdown)$|\/(test|tests|docs|example|examples)\//

const folder = resolve(process.argv[2] ?? usage())
if (hasFiles(folder)) fail(`${folder} is not empty. Name a new folder.`)
mkdirSync(folder, { recursive: true })

const packed = mkdtempSync(join(tmpdir(), 'tradepost-pack-'))
run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed], ROOT)
const [tarball = ''] = readdirSync(packed)
run('tar', ['-xzf', join(packed, tarball), '--strip-components=1', '-C', folder], ROOT)
rmSync(packed, { recursive: true })

copyFileSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'))
run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], folder)

const installed = join(folder, 'node_modules')
for (const file of filesUnder(installed)) {
  if (DEVELOPMENT_FILES.test(file.slice(installed.length))) rmSync(file)
}

const bytes = filesUnder(folder).reduce((sum, file) => sum + statSync(file).size, 0)
process.stdout.write(`${JSON.stringify({ folder, bytes })}\n`)

/** @param {string} path @returns {string[]} */
function filesUnder(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** @param {string} path */
function hasFiles(path) {
  try {
    return readdirSync(path).length > 0
  } catch {
    return false
  }
}

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) fail(`${command} ${args[0]} failed.`)
}

/** @returns {never} */
function usage() {
  fail('Usage: node scripts/image-files.mjs FOLDER')
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
