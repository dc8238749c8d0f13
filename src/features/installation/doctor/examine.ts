import type { App } from '../../../app.ts'
import { type Db, inBackground } from '../../../db/database.ts'
import type { Invariant } from '../../../db/invariant.ts'
import { findLostFiles } from './find-lost-files.ts'
import * as q from './queries.ts'
import type { Finding } from './schema.ts'

interface Diagnosis {
  ok: boolean
  findings: Finding[]
}

/** Runs the query of a check. Returns undefined if the query did not finish. */
type RunCheck = (db: Db, count: Invariant['count']) => Promise<number | undefined>

const REPORT_BUG = 'This is a bug in Tradepost: keep a copy of the database and report it.'

/** Runs the query of every invariant, and checks the settings of the database. */
export async function diagnose(
  { db, invariants }: Pick<App, 'db' | 'invariants'>,
  runCheck: RunCheck = inBackground,
): Promise<Diagnosis> {
  const findings: Finding[] = []
  for (const invariant of invariants) {
    findings.push(findingOf(invariant, await runCheck(db, invariant.count)))
  }
  const isDurable = await q.selectFsync(db)
  findings.push({
    check: 'durable_commits',
    ok: isDurable,
    finished: true,
    detail: isDurable
      ? 'Commits are flushed to the disk.'
      : 'fsync is off: a power cut loses orders.',
    cure: isDurable ? null : 'Set fsync = on in postgresql.conf.',
  })
  return { ok: findings.every((item) => item.ok), findings }
}

function findingOf(
  { check, rule, cure = REPORT_BUG }: Invariant,
  brokenRows: number | undefined,
): Finding {
  if (brokenRows === undefined) {
    const detail = `Not finished in time: ${rule}`
    const remedy = 'Run `npx tradepost doctor`, which waits for it.'
    return { check, ok: true, finished: false, detail, cure: remedy }
  }
  const ok = brokenRows === 0
  return {
    check,
    ok,
    finished: true,
    detail: ok ? rule : `${rule} ${brokenRows} rows break it.`,
    cure: ok ? null : cure,
  }
}

/** Checks the data, the setup and the stored files, and reports the number of stores. */
export async function diagnoseWithFiles(app: App): Promise<Diagnosis> {
  const { findings } = await diagnose(app)
  for (const inspect of app.inspections) {
    const inspections = await inspect(app)
    findings.push(...inspections.map((item) => ({ ...item, finished: true })))
  }
  findings.push(await storesFinding(app.db), await filesFinding(app))
  return { ok: findings.every((item) => item.ok), findings }
}

/** Reports the size of the database, so that an operator notices a restore of the wrong database. */
async function storesFinding(db: Db): Promise<Finding> {
  const { stores, orders, newest } = await q.selectCounts(db)
  const detail = `Stores: ${stores}. Orders: ${orders}${newest ? `, the newest of ${newest}` : ''}.`
  return { check: 'stores', ok: true, finished: true, detail, cure: null }
}

async function filesFinding({ db, storage }: Pick<App, 'db' | 'storage'>): Promise<Finding> {
  const { files, lost } = await findLostFiles(db, storage)
  const ok = lost.length === 0
  const storageName = storage.kind === 'local' ? 'the folder files of DATA_DIR' : 'the bucket'
  return {
    check: 'stored_files',
    ok,
    finished: true,
    detail: ok
      ? `Every file of a record is in ${storageName}. Files: ${files}.`
      : `Files of records that are missing or incomplete in ${storageName}: ${lost.length} of ${files}, such as ${lost[0]}.`,
    cure: ok ? null : `Restore ${storageName} from a backup that is not older than the database.`,
  }
}
