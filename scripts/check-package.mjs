// Packs the client as npm would publish it, and checks its exports and declarations with publint and
// arethetypeswrong. `npm pack` builds sdk/dist first.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The timeout of a step, which usually takes a few seconds. */
const STEP_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'tradepost-client-'))
run('npm', ['pack', '--silent', '--pack-destination', folder], join(ROOT, 'sdk'))
const [tarball = ''] = readdirSync(folder)
const archive = join(folder, tarball)
run('publint', [archive, '--strict'])
run('attw', [archive, '--format', 'ascii', '--no-definitely-typed'])
rmSync(folder, { recursive: true })

/**
 * Runs a program. If the program fails, prints its output and exits.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string} [cwd]
 */
function run(command, args, cwd = ROOT) {
  const file = command === 'npm' ? command : join(ROOT, 'node_modules', '.bin', command)
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    timeout: STEP_MS,
  })
  if (status === 0) return
  process.stderr.write(`${command} failed: ${error?.message ?? ''}\n${stdout}\n${stderr}\n`)
  rmSync(folder, { recursive: true })
  process.exit(1)
}
