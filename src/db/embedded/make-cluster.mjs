import { startPostgres } from './start-postgres.mjs'

const engine = await startPostgres({ dataDir: process.argv[2] })
await engine.close()
process.exit()
