// Checks that the embedded database flushes every commit to the disk, which PGlite alone does not do.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const COMMITS = 50
const [, , folder] = process.argv

if (folder) await commit(folder)
else process.exitCode = countFlushes()

/** Commits, and then kills this process, so that the flushes of a clean shutdown are not counted. */
async function commit(/** @type {string} */ folder) {
  const built = new URL('../dist/db/embedded/engine.js', import.meta.url)
  const { openEngine } = await import(built.href)
  const engine = await openEngine({ dataDir: join(folder, 'pg') })
  const client = new pg.Client({ stream: engine.connect, ssl: false })
  await client.connect()
  await client.query('create table note (id int primary key)')
  // The trace up to this offset belongs to the start.
  process.stdout.write(String(statSync(join(folder, 'trace')).size))
  for (let id = 1; id <= COMMITS; id++) await client.query('insert into note values ($1)', [id])
  process.kill(process.pid, 'SIGKILL')
}

/** Traces the system calls of a process that commits. Returns the exit code of this script. */
function countFlushes() {
  if (spawnSync('strace', ['-V']).error) {
    print('skipped: strace is not installed')
    return process.env.CI ? 1 : 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'count-fdatasync-'))
  const trace = join(folder, 'trace')
  const options = ['-f', '-e', 'trace=fdatasync,fsync', '-o', trace]
  const script = fileURLToPath(import.meta.url)
  const child = spawnSync('strace', [...options, process.execPath, script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  const offset = Number.parseInt(child.stdout, 10)
  const traceOfCommits = Number.isNaN(offset) ? '' : readFileSync(trace, 'utf8').slice(offset)
  rmSync(folder, { recursive: true })
  if (!traceOfCommits.includes('SIGKILL')) {
    print('The traced process ended before its last commit.')
    return 1
  }
  const flushes = traceOfCommits.match(/fdatasync\(/g)?.length ?? 0
  if (flushes < COMMITS) print('Some acknowledged commits would be lost in a power cut.')
  print(`${COMMITS} commits, ${flushes} fdatasync calls`)
  return flushes < COMMITS ? 1 : 0
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`)
}
