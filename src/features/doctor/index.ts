import { command } from '../../command.ts'
import { atLeisure, type Db } from '../../db/database.ts'
import { INVARIANTS, selectFsync } from './queries.ts'

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
  return { ok: findings.every((one) => one.ok), findings }
}

export const doctorCommands = [
  command({
    name: 'doctor',
    summary: 'Check every promise on the data, and the setup.',
    run: (app) => diagnose(app.db),
    print: ({ findings }) =>
      findings
        .map(
          ({ ok, check, detail, cure }) =>
            `${ok ? 'ok   ' : 'FAULT'} ${check}: ${detail}${cure ? `\n      ${cure}` : ''}`,
        )
        .join('\n'),
  }),
]
