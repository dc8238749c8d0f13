import { PGlite } from '@electric-sql/pglite'
import { DurableFS } from './durable-fs.mjs'

const LAST_WORDS_MAX = 20
/** The end of PostgreSQL's log, with the reason why it did not start or died. */
export const lastWords = /** @type {string[]} */ ([])

/**
 * Without a folder the data is kept in memory, loaded from the dump if there is one.
 *
 * @param {{ dataDir?: string, loadDump?: Uint8Array | ArrayBuffer | Blob }} from
 */
export async function startPostgres({ dataDir, loadDump }) {
  try {
    return await PGlite.create({
      ...(dataDir && { fs: new DurableFS(dataDir) }),
      ...(loadDump && { loadDataDir: new Blob([loadDump]) }),
      // PGlite's own parameters, without -F, which turns fsync off. Buffers beyond 16 MB only cost
      // memory, because the kernel caches the files too.
      startParams: [
        ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
        ...['-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=16MB'],
        ...['-c', 'min_wal_size=32MB', '-c', 'max_wal_size=64MB'],
      ],
      onStderr(/** @type {string} */ line) {
        lastWords.push(line)
        if (lastWords.length > LAST_WORDS_MAX) lastWords.shift()
        return false
      },
    })
  } catch (cause) {
    const message = ['The embedded PostgreSQL did not start.', ...lastWords].join('\n')
    throw new Error(message, { cause })
  }
}
