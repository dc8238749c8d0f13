import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const CHECK_EVERY_MS = 10_000
const VACUUM_EVERY_MS = 60 * 60_000
/** A vacuum of a larger table could exceed the statement timeout. */
const VACUUM_MAX_BYTES = 1024 ** 3

// Without checkpoints the WAL fills the disk, and every start after a kill replays it.
const CHECKPOINT_IF_DUE = `
  do $$ begin
    if pg_current_wal_insert_lsn() - (select redo_lsn from pg_control_checkpoint()) > 16777216 then
      checkpoint;
    end if;
  end $$`

// All tables, because the engine does not count dead rows, and a vacuum without any costs little.
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and c.relpersistence = 'p' and pg_table_size(c.oid) < ${VACUUM_MAX_BYTES}`

/**
 * Runs checkpoints and vacuums, which a server does in background processes that the embedded
 * engine lacks.
 */
export function startUpkeep(connect: () => Duplex, check_ms = CHECK_EVERY_MS) {
  const stopping = new AbortController()
  const running = keepUp(connect, check_ms, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function keepUp(connect: () => Duplex, check_ms: number, signal: AbortSignal) {
  let vacuumedAt = performance.now()
  for (;;) {
    await pause(check_ms, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    const due = performance.now() - vacuumedAt > VACUUM_EVERY_MS ? vacuum : checkpoint
    if (due === vacuum) vacuumedAt = performance.now()
    // A busy or dead engine is reported elsewhere, and the next round comes soon.
    await withClient(connect, due).catch(() => {})
  }
}

async function withClient(connect: () => Duplex, work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ stream: connect, ssl: false })
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end()
  }
}

async function checkpoint(client: pg.Client) {
  await client.query(CHECKPOINT_IF_DUE)
}

/** One table at a time, so that other statements run in between. */
async function vacuum(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(TABLES)
  for (const { name } of rows) await client.query(`vacuum (analyze) ${name}`)
}
