import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import type { App } from './app.ts'
import { adminCommands, migrateCommand } from './commands.ts'
import type { Config } from './config/config.ts'
import { FolderHeldError, holdFolder } from './control/folder-lock.ts'
import type { Serve } from './control/protocol.ts'
import { onStatement } from './db/statements.ts'
import { type EarlyListener, openEarlyListener } from './http/early-listener.ts'
import { SECOND_MS } from './kernel/time.ts'
import { VERSION } from './kernel/version.ts'
import { answerCommand } from './process/answer-command.ts'
import { banner } from './process/banner.ts'
import { asRefusal } from './process/database-refusal.ts'
import { demoSignInUrl, seedDemo } from './process/demo/seed-demo.ts'
import { writeFirstKeys } from './process/first-keys.ts'
import { openLog } from './process/log.ts'
import { needFolder } from './process/need-folder.ts'
import { openApp } from './process/open-app.ts'
import { describeReady, removeReadyFile, writeReadyFile } from './process/ready-file.ts'
import { StartError } from './process/start-error.ts'
import { sweepDrafts } from './process/sweep-drafts.ts'
import { startWorkers } from './process/workers.ts'
import { createMetrics, type Metrics } from './surfaces/metrics.ts'
import { openMetricsPage } from './surfaces/metrics-page.ts'
import { openSurfaces, renderByPath } from './surfaces/server.ts'
import { type Authentication, openAuthentication } from './surfaces/store-authentication.ts'

const FLUSH_MS = SECOND_MS
const LEAVE_MS = 500
/** A command that sends a webhook gets and saves the outcome within 10 s. */
const COMMANDS_MS = 11 * SECOND_MS
/** After an unexpected error, draining may hang. */
const FAULT_DRAIN_MS = 30 * SECOND_MS

interface Run {
  config: Config
  demo: boolean
  /** The demo shop is opened too, and filled in the background. */
  lively: boolean
  log: Logger
  metrics: Metrics
  stopped: Promise<unknown>
  /** Running commands that clients sent. */
  commands: Set<Promise<unknown>>
}

/**
 * How much the heap may grow beyond the memory in use before a garbage collection, in percent. V8's
 * default is higher, and much of a busy process would be garbage.
 */
const HEAP_GROWING_PERCENT = 150

/** The process: lock, listen, open, serve, wait for a signal, then close in reverse order. */
export function main(
  config: Config,
  { demo, lively }: Pick<Run, 'demo' | 'lively'>,
): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
  // If the reader has left or the disk is full, the server continues.
  process.stdout.on('error', () => {})
  const log = openLog(config.logLevel)
  const stopped = Promise.race([signalled(), faulted(log)])
  const run = { config, demo, lively, log, metrics: createMetrics(), stopped }
  return underLock({ ...run, commands: new Set() })
}

/** SIGHUP is sent when the terminal closes. */
const signalled = () =>
  new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(name, resolve)
  })

/**
 * An uncaught error leaves the process in an unknown state: it finishes running work, then ends.
 */
const faulted = (log: Logger) =>
  new Promise<void>((resolve) => {
    const stop = (err: unknown) => {
      log.fatal({ err }, 'Unexpected error; the process stops')
      process.exitCode = 1
      setTimeout(() => process.exit(), FAULT_DRAIN_MS).unref()
      resolve()
    }
    process.on('uncaughtException', stop)
    process.on('unhandledRejection', stop)
  })

/** One process on a folder (decision 42). With a database server no lock is taken. */
async function underLock(run: Run): Promise<void> {
  await needFolder('DATA_DIR', run.config.dataDir)
  await needFolder('TRADEPOST_READY_FILE', dirname(run.config.readyFile))
  if (run.config.databaseUrl) return announced(run, () => {})
  let app: App | undefined
  const stopping = new AbortController()
  void run.stopped.then(() => stopping.abort())
  const serve: Serve = async (request, emit, clientLeft) => {
    while (!app) await pause(50)
    if (stopping.signal.aborted) throw new StartError('The shop is closing.', 1)
    const signal = AbortSignal.any([clientLeft, stopping.signal])
    const commands = [...adminCommands, migrateCommand]
    const answer = answerCommand(app, commands, request, { emit, signal })
    run.commands.add(answer)
    return answer.finally(() => run.commands.delete(answer))
  }
  const held = await holdFolder(run.config.dataDir, serve).catch((error) => {
    throw error instanceof FolderHeldError
      ? new StartError(error.message)
      : asRefusal(run.config, error)
  })
  try {
    await announced(run, (opened) => {
      app = opened
    })
  } finally {
    await held.release()
  }
}

type OnOpen = (app: App) => void

/**
 * The ready file describes a serving process. So an old one is removed first, and ours at the end.
 */
async function announced(run: Run, onOpen: OnOpen): Promise<void> {
  const { dataDir, readyFile } = run.config
  await rm(readyFile, { force: true })
  for (const file of [readyFile, join(dataDir, 'secrets.key')]) await sweepDrafts(file)
  try {
    await behindListener(run, onOpen)
  } finally {
    await removeReadyFile(run.config.readyFile)
  }
}

const LISTENING: Record<string, (config: Config) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use. Stop what uses it, or set another PORT.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Set a PORT above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is not an address of this machine.`,
  ENOTFOUND: ({ host }) =>
    `HOST: ${host} is not an address. Write one of this machine, such as 0.0.0.0.`,
}

/** Listens before the database is open, so that callers get 503 instead of no answer. */
async function behindListener(run: Run, onOpen: OnOpen): Promise<void> {
  const { config } = run
  if (config.role === 'worker') return onDatabase(run, undefined, onOpen)
  const { host, port, maxConnectionsPerAddress: perAddress, trustedProxies: exempt } = config
  const options = { host, port, limits: { perAddress, exempt }, log: run.log }
  const listener = await openEarlyListener(options, renderByPath).catch((error) => {
    const cure = LISTENING[error.code]?.(config)
    throw cure === undefined ? error : new StartError(cure)
  })
  try {
    await onDatabase(run, listener, onOpen)
  } finally {
    await listener.close()
  }
}

async function onDatabase(
  run: Run,
  listener: EarlyListener | undefined,
  onOpen: OnOpen,
): Promise<void> {
  const { config, log, demo, metrics } = run
  const onConnect: Parameters<typeof openApp>[1]['onConnect'] = (client) =>
    onStatement(client, metrics.countStatement)
  const publicUrl = listener ? addressOf(config, listener) : config.publicUrl
  const opening = openApp({ ...config, publicUrl }, { log, demo, onConnect })
  const opened = await unlessStopped(run, opening)
  if (!opened) return
  const { app, close } = opened
  try {
    await serve(run, app, listener, onOpen)
  } finally {
    await close()
  }
}

/**
 * Waiting for a database server can be interrupted; opening the embedded database runs to its end.
 */
async function unlessStopped<T>(run: Run, opening: Promise<T>): Promise<T | undefined> {
  if (!run.config.databaseUrl) return opening
  opening.catch(() => {})
  return Promise.race([opening, run.stopped.then(() => undefined)])
}

async function serve(
  run: Run,
  app: App,
  listener: EarlyListener | undefined,
  onOpen: OnOpen,
): Promise<void> {
  const { config, demo, log, stopped } = run
  const createdSides = demo ? await seedDemo(app, run) : []
  // First, because these keys cannot be read again after a failure.
  await writeFirstKeys(app, createdSides)
  const url = listener && app.config.publicUrl
  // Before the workers start: their first queries would delay this one on a slow machine.
  const ready = await describeReady(app, url, createdSides)
  const authentication = openAuthentication(app)
  await authentication.rateLimits.opened
  const flush = () =>
    authentication.flush().catch((error) => log.warn({ err: error }, 'Could not save usage counts'))
  const flushing = setInterval(flush, FLUSH_MS)
  if (listener && url)
    await listener.open(await surfacesOf(run, app, { listener, url, authentication }))
  const page = await openMetricsPage(app, run.metrics)
  const workers = config.role === 'api' ? undefined : startWorkers(app, run.metrics.webhooks.meter)
  onOpen(app)

  const signInUrl = demo && url ? await demoSignInUrl(app) : undefined
  await writeReadyFile(config.readyFile, ready)
  const start = { demo, metricsUrl: page?.url, signInUrl }
  process.stdout.write(`${banner(app, ready, start)}\n`)
  const filling = run.lively ? fillInBackground(app, stopped) : undefined

  await stopped
  log.info('stopping')
  await filling
  if (listener) await leave(listener, authentication)
  await workers?.stop()
  await Promise.race([
    Promise.allSettled(run.commands),
    pause(COMMANDS_MS, undefined, { ref: false }),
  ])
  clearInterval(flushing)
  await flush()
  authentication.rateLimits.close()
  await page?.close()
}

/** Loaded here only, because plain starts need none of it. Ends between two steps when the process stops. */
async function fillInBackground(app: App, stopped: Promise<unknown>): Promise<void> {
  const stopping = new AbortController()
  void stopped.then(() => stopping.abort())
  const { makeLivelyOnce } = await import('./process/demo/make-lively.ts')
  const say = (line: string) => process.stdout.write(`  ${line}\n`)
  await makeLivelyOnce(app, { signal: stopping.signal, say })
}

/** Readiness fails first, so that load balancers send no further requests. */
async function leave(listener: EarlyListener, { auth }: Authentication): Promise<void> {
  listener.leave()
  auth.live.close()
  await pause(LEAVE_MS)
  await listener.close()
}

interface Target {
  listener: EarlyListener
  url: string
  authentication: ReturnType<typeof openAuthentication>
}

const surfacesOf = ({ metrics }: Run, app: App, { listener, url, authentication }: Target) =>
  openSurfaces(app, authentication, {
    version: VERSION,
    storeApiUrl: `${url}/v1`,
    metrics,
    leaving: listener.leaving,
  })

/** The public URL: the configured one, or the listening address with its actual port. */
function addressOf({ publicUrl, port }: Config, listener: EarlyListener): string {
  return port === 0 ? publicUrl.replace(/:0$/, `:${listener.port}`) : publicUrl
}
