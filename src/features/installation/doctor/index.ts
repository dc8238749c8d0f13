import type { App } from '../../../app.ts'
import { command } from '../../../command.ts'
import { atLeisure, type Db } from '../../../db/database.ts'
import { findLostFiles } from './find-lost-files.ts'
import { INVARIANTS, selectCounts, selectFsync } from './queries.ts'

export interface Finding {
  check: string
  ok: boolean
  detail: string
  cure: string | null
}

export interface Diagnosis {
  ok: boolean
  findings: Finding[]
}

/** Runs every promise of ours that is a query, and looks at what the database is set to. */
export async function diagnose(db: Db): Promise<Diagnosis> {
  const findings: Finding[] = []
  for (const { check, promise, count } of INVARIANTS) {
    const broken = await atLeisure(db, count)
    findings.push({
      check,
      ok: broken === 0,
      detail: broken === 0 ? promise : `${promise} ${broken} rows break it.`,
      cure:
        broken === 0 ? null : 'This is a fault of ours: keep a copy of the database and report it.',
    })
  }
  const durable = await selectFsync(db)
  findings.push({
    check: 'durable_commits',
    ok: durable,
    detail: durable
      ? 'Commits are flushed to the disk.'
      : 'fsync is off: a power cut loses orders.',
    cure: durable ? null : 'Set fsync = on in postgresql.conf.',
  })
  return { ok: findings.every((item) => item.ok), findings }
}

/** Checks the data, and shows which stores it holds and whether their files are in storage. */
export async function examine(app: Pick<App, 'db' | 'storage'>): Promise<Diagnosis> {
  const { findings } = await diagnose(app.db)
  findings.push(await findStores(app.db), await findFiles(app))
  return { ok: findings.every((item) => item.ok), findings }
}

/** An empty database is sound; after a restore it is the wrong one, and this says so. */
async function findStores(db: Db): Promise<Finding> {
  const { stores, orders, newest } = await selectCounts(db)
  const detail = `Stores: ${stores}. Orders: ${orders}${newest ? `, the newest of ${newest}` : ''}.`
  return { check: 'stores', ok: true, detail, cure: null }
}

async function findFiles({ db, storage }: Pick<App, 'db' | 'storage'>): Promise<Finding> {
  const { files, lost } = await findLostFiles(db, storage)
  const ok = lost.length === 0
  const where = storage.kind === 'local' ? 'the folder files of DATA_DIR' : 'the bucket'
  return {
    check: 'stored_files',
    ok,
    detail: ok
      ? `Every file that a record shows lies in ${where}: ${files} files.`
      : `Of ${files} files that records show, ${lost.length} are not whole in ${where}, such as ${lost[0]}.`,
    cure: ok ? null : `Restore ${where}, from a backup that is no older than the database.`,
  }
}

export const doctorCommands = [
  command({
    name: 'doctor',
    summary: 'Check every promise on the data, and the setup.',
    run: (app) => examine(app),
    print: ({ findings }) =>
      findings
        .map(
          ({ ok, check, detail, cure }) =>
            `${ok ? 'ok   ' : 'FAULT'} ${check}: ${detail}${cure ? `\n      ${cure}` : ''}`,
        )
        .join('\n'),
  }),
]
