import { rmSync } from 'node:fs'
import { startPostgres } from './start-postgres.mjs'

const [, , dataDir = '', parent] = process.argv
/** As PGlite's file system numbers it. */
const NO_SPACE = 51
/** As Linux numbers it; `data-folder.ts` knows this exit code. */
const EXIT_NO_SPACE = 28

const engine = await startPostgres({ dataDir }).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  return process.exit(error.cause?.errno === NO_SPACE ? EXIT_NO_SPACE : 1)
})
await engine.close()
// Whoever asked was killed meanwhile: nobody would ever rename it.
if (String(process.ppid) !== parent) rmSync(dataDir, { recursive: true, force: true })
process.exit()
