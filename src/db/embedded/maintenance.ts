import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const CHECK_EVERY_MS = 10_000
const VACUUM_EVERY_MS = 60 * 60_000
/** The largest table that is vacuumed. The vacuum of a larger one could exceed the statement timeout. */
const VACUUM_MAX_BYTES = 1024 ** 3

// A checkpoint is due after 16 MiB of WAL. Without checkpoints the WAL would fill the disk, and every start
// after a kill would replay all of it.
const CHECKPOINT_IF_DUE = `
  do $$ begin
    if pg_current_wal_insert_lsn() - (select redo_lsn from pg_control_checkpoint()) > 16777216 then
      checkpoint;
    end if;
  end $$`

// All tables are vacuumed, because the engine does not count dead rows. The vacuum of a table without
// dead rows is cheap.
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and c.relpersistence = 'p' and pg_table_size(c.oid) < ${VACUUM_MAX_BYTES}`

/**
 * Runs checkpoints and vacuums, which a server does in background processes that the embedded
 * engine lacks.
 */
export function startMaintenance(connect: () => Duplex, check_ms = CHECK_EVERY_MS) {
  const stopping = new AbortController()
  const running = runMaintenance(connect, check_ms, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function runMaintenance(connect: () => Duplex, check_ms: number, signal: AbortSignal) {
  let vacuumedAt = performance.now()
  for (;;) {
    await pause(check_ms, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    const task = performance.now() - vacuumedAt > VACUUM_EVERY_MS ? vacuum : checkpoint
    if (task === vacuum) vacuumedAt = performance.now()
    // A busy or crashed engine is reported elsewhere, and the task is repeated soon.
    await withClient(connect, task).catch(() => {})
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

/** Vacuums one table at a time, so that other statements can run in between. */
async function vacuum(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(TABLES)
  for (const { name } of rows) await client.query(`vacuum (analyze) ${name}`)
}
