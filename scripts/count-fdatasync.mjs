// Proves that the embedded database flushes every commit to the disk: PGlite alone never does.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const COMMITS = 50
const [, , folder] = process.argv

if (folder) await commit(folder)
else process.exitCode = count()

/** Kills itself at the end, so that the flushes of a clean shutdown are not counted. */
async function commit(/** @type {string} */ folder) {
  const built = new URL('../dist/db/embedded/engine.js', import.meta.url)
  const { openEngine } = await import(built.href)
  const engine = await openEngine({ dataDir: join(folder, 'pg') })
  const client = new pg.Client({ stream: engine.connect, ssl: false })
  await client.connect()
  await client.query('create table note (id int primary key)')
  // The trace up to here belongs to the start.
  process.stdout.write(String(statSync(join(folder, 'trace')).size))
  for (let id = 1; id <= COMMITS; id++) await client.query('insert into note values ($1)', [id])
  process.kill(process.pid, 'SIGKILL')
}

function count() {
  if (spawnSync('strace', ['-V']).error) {
    say('skipped: strace is not installed')
    return process.env.CI ? 1 : 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'count-fdatasync-'))
  const trace = join(folder, 'trace')
  const calls = ['-f', '-e', 'trace=fdatasync,fsync', '-o', trace]
  const script = fileURLToPath(import.meta.url)
  const child = spawnSync('strace', [...calls, process.execPath, script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  const started = Number.parseInt(child.stdout, 10)
  const traced = Number.isNaN(started) ? '' : readFileSync(trace, 'utf8').slice(started)
  rmSync(folder, { recursive: true })
  if (!traced.includes('SIGKILL')) {
    say('The traced process did not get to its last commit.')
    return 1
  }
  const flushes = traced.match(/fdatasync\(/g)?.length ?? 0
  if (flushes < COMMITS) say('Commits are acknowledged that a power cut takes back.')
  say(`${COMMITS} commits, ${flushes} fdatasync calls`)
  return flushes < COMMITS ? 1 : 0
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
