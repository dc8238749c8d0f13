import { rmSync } from 'node:fs'
import { startPostgres } from './start-postgres.mjs'

const [, , dataDir = '', parent] = process.argv

const engine = await startPostgres({ dataDir })
await engine.close()
// Whoever asked was killed meanwhile: nobody would ever rename it.
if (String(process.ppid) !== parent) rmSync(dataDir, { recursive: true, force: true })
process.exit()
