import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const REQUIREMENTS = join(FOLDER, 'requirements.txt')
const WORKERS = 2
/** The time for one call. The server itself answers a call after at most 30 s. */
const CALL_S = 60

/** Installs the pinned release once, into a virtual environment under node_modules. Returns the path of the program. */
export function installSchemathesis() {
  const pins = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12)
  const folder = join(FOLDER, '../../node_modules/.cache', `schemathesis-${pins}`)
  const program = join(folder, 'bin', 'schemathesis')
  if (existsSync(join(folder, 'complete'))) return program
  rmSync(folder, { recursive: true, force: true })
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) =>
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  run('python3', ['-m', 'venv', folder])
  run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-deps', '-r', REQUIREMENTS])
  run('touch', [join(folder, 'complete')])
  return program
}

/**
 * Runs all checks on a document. The examples and the values at the limits of a schema are a fixed number of calls,
 * each of which ends after a time, so the run ends without a time limit of its own. Schemathesis exits with 1 if it
 * has findings, which are in the report.
 *
 * @param {string} program
 * @param {{ document: string, headers: Record<string, string>, seed: number, report: string }} run
 */
export async function runSchemathesis(program, { document, headers, seed, report }) {
  const args = [
    ...['run', document, '--phases', 'examples,coverage', '--continue-on-failure', '--no-color'],
    ...['--workers', String(WORKERS), '--seed', String(seed), '--generation-database', 'none'],
    ...['--generation-allow-x00', 'false', '--request-timeout', String(CALL_S)],
    ...['--report', 'ndjson', '--report-ndjson-path', report],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}:${value}`]),
  ]
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: FOLDER,
    PYTHONDONTWRITEBYTECODE: '1',
  }
  // Schemathesis writes a folder into its working directory.
  const cwd = dirname(report)
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (bytes) => {
    output += bytes
  })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${code}:\n${output}`)
}
