import { PGlite } from '@electric-sql/pglite'
import { DurableFS } from './durable-fs.mjs'

const LOG_LINES_MAX = 20
/** The last lines of PostgreSQL's log, with the reason why it did not start or crashed. */
export const logLines = /** @type {string[]} */ ([])

/**
 * Starts PostgreSQL. Without a folder the data is in memory, and is loaded from the dump if there is one.
 *
 * @param {{ dataDir?: string, loadDump?: Uint8Array | ArrayBuffer | Blob }} from
 */
export async function startPostgres({ dataDir, loadDump }) {
  try {
    return await PGlite.create({
      ...(dataDir && { fs: new DurableFS(dataDir) }),
      ...(loadDump && { loadDataDir: new Blob([loadDump]) }),
      // The default parameters without -F, which turns fsync off. More than 16 MB of buffers would not
      // help, because the kernel also caches the files.
      startParams: [
        ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
        ...['-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=16MB'],
        ...['-c', 'min_wal_size=32MB', '-c', 'max_wal_size=64MB'],
      ],
      onStderr(/** @type {string} */ line) {
        logLines.push(line)
        if (logLines.length > LOG_LINES_MAX) logLines.shift()
        return false
      },
    })
  } catch (cause) {
    const message = ['The embedded PostgreSQL did not start.', ...logLines].join('\n')
    throw new Error(message, { cause })
  }
}
