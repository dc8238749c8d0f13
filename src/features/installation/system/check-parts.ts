import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { freeBytesOf } from '../../../db/embedded/free-bytes.ts'
import type { PartReport } from '../../../kernel/system-parts.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import { readCertificate } from '../../../network/certificate.ts'
import { newBlobId } from '../../../storage/blob-id.ts'
import { selectNewestBackup } from '../backup/index.ts'
import { reasonOf, selectMailBacklog, verifyMailServer } from '../mail/index.ts'
import {
  type Judgement,
  judgeBackup,
  judgeCertificate,
  judgeClock,
  judgeDisk,
  judgeMail,
} from './parts.rules.ts'
import * as q from './queries.ts'
import type { SystemPart } from './schema.ts'

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 5 * SECOND_MS
/** A result is shown for this time before the parts are checked again. */
const FRESH_MS = 60 * SECOND_MS
const REASON_MAX = 500

interface PartsCheck {
  checked_ms: number
  parts: Promise<SystemPart[]>
}

const latestChecks = new WeakMap<App['caches'], PartsCheck>()

/** Returns the state of each part of the installation, at most a minute old. */
export function checkParts(app: App): Promise<SystemPart[]> {
  const now = app.clock.now()
  const last = latestChecks.get(app.caches)
  if (last && now - last.checked_ms < FRESH_MS && now >= last.checked_ms) return last.parts
  const parts = Promise.all(checksOf(app).map((check) => runCheck(app, check)))
  latestChecks.set(app.caches, { checked_ms: now, parts })
  return parts
}

const OK: Judgement = { state: 'ok', problem: null, values: {} }

type Check = Pick<SystemPart, 'name' | 'target'> & {
  /** Undefined if the part is not configured. */
  run: (() => Promise<Judgement>) | undefined
}

const checksOf = (app: App): Check[] => {
  const { config, db, storage, clock } = app
  const { smtp, publicUrl } = config
  return [
    {
      name: 'database',
      target: config.databaseUrl ? hostOf(config.databaseUrl) : config.dataDir,
      run: async () => {
        await q.selectVersion(db)
        return OK
      },
    },
    {
      name: 'disk',
      target: config.dataDir,
      run: async () => judgeDisk(await freeBytesOf(config.dataDir)),
    },
    {
      name: 'clock',
      target: null,
      run: async () => judgeClock((await q.selectClock(db)) - clock.now()),
    },
    {
      name: 'storage',
      target: config.s3 ? config.s3.bucket : config.dataDir,
      run: async () => {
        // No file has this id. An answer is enough.
        await storage.sizeOf(newBlobId())
        return OK
      },
    },
    {
      name: 'mail',
      target: smtp ? hostOf(smtp.url) : null,
      run:
        smtp &&
        (async () => {
          await verifyMailServer(smtp)
          return judgeMail(await selectMailBacklog(db))
        }),
    },
    {
      name: 'certificate',
      target: publicUrl.startsWith('https:') ? hostOf(publicUrl) : null,
      run: publicUrl.startsWith('https:') ? () => checkCertificate(app) : undefined,
    },
    {
      name: 'backup',
      target: null,
      run: async () => {
        const newest = await selectNewestBackup(db)
        return judgeBackup(newest ? clock.now() - Date.parse(newest.made_at) : null)
      },
    },
  ]
}

async function checkCertificate({ config, clock }: App): Promise<Judgement> {
  const { ends_ms, refusal } = await readCertificate(config.publicUrl)
  const judgement = judgeCertificate(ends_ms - clock.now())
  if (refusal !== null && judgement.state !== 'failed') throw new Error(refusal)
  return judgement
}

/** The host without the user, the password and the path of a URL. */
const hostOf = (url: string): string => new URL(url).host

async function runCheck(app: App, { run, name, target }: Check): Promise<SystemPart> {
  const partOf = (judgement: Judgement, error: string | null): SystemPart => ({
    name,
    target,
    ...judgement,
    error,
    checked_at: iso(app.clock.now()),
  })
  if (!run) return partOf({ ...OK, state: 'off' }, null)
  const timeoutController = new AbortController()
  const timeout = pause(CHECK_TIMEOUT_MS, undefined, { signal: timeoutController.signal }).then(
    () => {
      throw new Error(`No answer within ${CHECK_TIMEOUT_MS / SECOND_MS} seconds.`)
    },
  )
  try {
    return partOf(await Promise.race([run(), timeout]), null)
  } catch (error) {
    const reason = reasonOf(error as Error).slice(0, REASON_MAX)
    return partOf({ state: 'failed', problem: 'no_answer', values: {} }, reason)
  } finally {
    timeoutController.abort()
    timeout.catch(() => {})
  }
}

/** Adds the moment to the reports of other features, which are read at each call. */
export const partOfReport = ({ clock }: Pick<App, 'clock'>, report: PartReport): SystemPart => ({
  ...report,
  target: null,
  error: null,
  checked_at: iso(clock.now()),
})
