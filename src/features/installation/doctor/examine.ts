import type { App } from '../../../app.ts'
import { type Db, inBackground } from '../../../db/database.ts'
import type { Invariant } from '../../../db/invariant.ts'
import { findLostFiles } from './find-lost-files.ts'
import { selectCounts, selectFsync } from './queries.ts'

export interface Finding {
  check: string
  ok: boolean
  /** False if the check was given up. */
  finished: boolean
  detail: string
  cure: string | null
}

export interface Diagnosis {
  ok: boolean
  findings: Finding[]
}

/** Runs the query of a check; undefined if it did not finish. */
type Run = (db: Db, count: Invariant['count']) => Promise<number | undefined>

const REPORT = 'This is a fault of ours: keep a copy of the database and report it.'

/** Runs every invariant that is a query, and checks the settings of the database. */
export async function diagnose(
  { db, invariants }: Pick<App, 'db' | 'invariants'>,
  run: Run = inBackground,
): Promise<Diagnosis> {
  const findings: Finding[] = []
  for (const invariant of invariants) {
    findings.push(findingOf(invariant, await run(db, invariant.count)))
  }
  const durable = await selectFsync(db)
  findings.push({
    check: 'durable_commits',
    ok: durable,
    finished: true,
    detail: durable
      ? 'Commits are flushed to the disk.'
      : 'fsync is off: a power cut loses orders.',
    cure: durable ? null : 'Set fsync = on in postgresql.conf.',
  })
  return { ok: findings.every((item) => item.ok), findings }
}

function findingOf(
  { check, promise, cure = REPORT }: Invariant,
  broken: number | undefined,
): Finding {
  if (broken === undefined) {
    const detail = `Took too long here: ${promise}`
    const wait = 'Run `npx tradepost doctor`, which waits for it.'
    return { check, ok: true, finished: false, detail, cure: wait }
  }
  const ok = broken === 0
  return {
    ...{ check, ok, finished: true },
    detail: ok ? promise : `${promise} ${broken} rows break it.`,
    cure: ok ? null : cure,
  }
}

/** Checks the data, and shows the stores in it and whether their files are in storage. */
export async function examine(app: Pick<App, 'db' | 'invariants' | 'storage'>): Promise<Diagnosis> {
  const { findings } = await diagnose(app)
  findings.push(await findStores(app.db), await findFiles(app))
  return { ok: findings.every((item) => item.ok), findings }
}

/** An empty database is sound; after a restore it is the wrong one, and this says so. */
async function findStores(db: Db): Promise<Finding> {
  const { stores, orders, newest } = await selectCounts(db)
  const detail = `Stores: ${stores}. Orders: ${orders}${newest ? `, the newest of ${newest}` : ''}.`
  return { check: 'stores', ok: true, finished: true, detail, cure: null }
}

async function findFiles({ db, storage }: Pick<App, 'db' | 'storage'>): Promise<Finding> {
  const { files, lost } = await findLostFiles(db, storage)
  const ok = lost.length === 0
  const where = storage.kind === 'local' ? 'the folder files of DATA_DIR' : 'the bucket'
  return {
    check: 'stored_files',
    ok,
    finished: true,
    detail: ok
      ? `Every file that a record shows is in ${where}. Files: ${files}.`
      : `Of ${files} files that records show, ${lost.length} are not whole in ${where}, such as ${lost[0]}.`,
    cure: ok ? null : `Restore ${where}, from a backup that is no older than the database.`,
  }
}
