// Measures the pages that the statements of a call read in PostgreSQL, from pg_stat_statements. On a busy machine this
// number does not vary, unlike the time.
import pg from 'pg'
import { median } from '../lib/bench.mjs'

const WARM_UP_CALLS = 2
const CALLS = 3
/** Statements of the process itself, which belong to no call. */
const OWN_STATEMENTS = 'pg_stat_statements|insert into api_call|insert into api_key_use|quota_used'

export async function openMeter(atEnd, databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  atEnd(() => client.end())
  const readPages = async () => {
    const { rows } = await client.query(
      `select coalesce(sum(s.shared_blks_hit + s.shared_blks_read), 0)::int as pages
         from pg_stat_statements s
         join pg_database d on d.oid = s.dbid
        where d.datname = current_database() and s.query !~ $1`,
      [OWN_STATEMENTS],
    )
    return rows[0].pages
  }
  return {
    /** Returns the pages and the time of a call, as medians. A call that fails has the pages NaN. */
    async measure(makeCall) {
      const pages = []
      const times = []
      try {
        for (let n = 0; n < WARM_UP_CALLS; n++) await makeCall()
        for (let n = 0; n < CALLS; n++) {
          await client.query('select pg_stat_statements_reset()')
          const startedAt = performance.now()
          await makeCall()
          times.push(performance.now() - startedAt)
          pages.push(await readPages())
        }
      } catch (error) {
        process.stderr.write(`${error.message.slice(0, 300)}\n`)
        return { pages: Number.NaN, time_ms: Number.NaN }
      }
      return { pages: median(pages), time_ms: median(times) }
    },
  }
}
