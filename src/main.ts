import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import type { App } from './app.ts'
import { adminCommands, migrateCommand } from './commands.ts'
import type { Config } from './config/config.ts'
import { FolderHeldError, lockFolder } from './control/folder-lock.ts'
import type { RequestHandler } from './control/protocol.ts'
import { freeBytesOf } from './db/embedded/free-bytes.ts'
import { onStatement } from './db/statements.ts'
import { firstStartUrl } from './features/installation/index.ts'
import { type EarlyListener, openEarlyListener } from './http/early-listener.ts'
import { createRepeatedFailures } from './kernel/repeated-failures.ts'
import { SECOND_MS } from './kernel/time.ts'
import { VERSION } from './kernel/version.ts'
import { answerCommand } from './process/answer-command.ts'
import { banner } from './process/banner.ts'
import { asStartError } from './process/database-start-error.ts'
import { addLivelyDemo, demoSignInUrl, seedDemo } from './process/demo/seed-demo.ts'
import { writeFirstKeys } from './process/first-keys.ts'
import { openLog } from './process/log.ts'
import { openApp } from './process/open-app.ts'
import { describeReady, removeReadyFile, writeReadyFile } from './process/ready-file.ts'
import { requireFolder } from './process/require-folder.ts'
import { StartError } from './process/start-error.ts'
import { sweepDrafts } from './process/sweep-drafts.ts'
import { startWorkers } from './process/workers.ts'
import { createMetrics, type Metrics } from './surfaces/metrics.ts'
import { openMetricsPage } from './surfaces/metrics-page.ts'
import { loadSlowPackages, openSurfaces, renderByPath } from './surfaces/server.ts'
import { type Authentication, openAuthentication } from './surfaces/store-authentication.ts'

/** The interval at which usage counts are saved. */
const FLUSH_MS = SECOND_MS
/** The time between failing readiness and closing, in which load balancers stop sending requests. */
const READINESS_DRAIN_MS = 500
/** The longest wait for running commands. A command that sends a webhook needs up to 10 s. */
const COMMANDS_WAIT_MS = 11 * SECOND_MS
/** The longest wait for running work after an unexpected error. */
const FAULT_DRAIN_MS = 30 * SECOND_MS

interface ServerRun {
  config: Config
  demo: boolean
  /** True if the demo shop is also created, and filled in the background. */
  lively: boolean
  log: Logger
  metrics: Metrics
  stopped: Promise<unknown>
  /** The running commands of clients. */
  commands: Set<Promise<unknown>>
}

/**
 * The heap size at which garbage is collected, in percent of the memory in use. With V8's higher default,
 * a large part of a busy process would be garbage.
 */
const HEAP_GROWING_PERCENT = 150
/** V8's default for the growth of the young generation, which does not grow while the server starts (decision 451). */
const YOUNG_GROWTH_FACTOR = 2

/** Runs the server: locks, listens, opens, serves, waits for a signal, then closes in reverse order. */
export function main(
  config: Config,
  { demo, lively }: Pick<ServerRun, 'demo' | 'lively'>,
): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
  // The server must continue if nobody reads its output or the disk is full.
  process.stdout.on('error', () => {})
  const log = openLog(config.logLevel)
  const stopped = Promise.race([waitForSignal(), waitForFault(log)])
  const serverRun = { config, demo, lively, log, metrics: createMetrics(), stopped }
  return runUnderLock({ ...serverRun, commands: new Set() })
}

/** Resolves at a signal to stop. SIGHUP is sent when the terminal closes. */
const waitForSignal = () =>
  new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
      // While the program was loading, `bin/tradepost.mjs` ended the process at a signal.
      process.removeAllListeners(name)
      process.once(name, resolve)
    }
  })

/** Resolves at an uncaught error, after which the process ends, because its state is unknown. */
const waitForFault = (log: Logger) =>
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

/** Locks the data folder, on which one process may run (decision 42). A database server needs no lock. */
async function runUnderLock(serverRun: ServerRun): Promise<void> {
  await requireFolder('DATA_DIR', serverRun.config.dataDir)
  await requireFolder('TRADEPOST_READY_FILE', dirname(serverRun.config.readyFile))
  if (serverRun.config.databaseUrl) return withReadyFile(serverRun, () => {})
  let app: App | undefined
  const stopping = new AbortController()
  void serverRun.stopped.then(() => stopping.abort())
  const handleCommand: RequestHandler = async (request, emit, clientLeft) => {
    while (!app) await pause(50)
    if (stopping.signal.aborted) throw new StartError('The server is stopping.', 1)
    const signal = AbortSignal.any([clientLeft, stopping.signal])
    const commands = [...adminCommands, migrateCommand]
    const answer = answerCommand(app, commands, request, { emit, signal })
    serverRun.commands.add(answer)
    return answer.finally(() => serverRun.commands.delete(answer))
  }
  const folderLock = await lockFolder(serverRun.config.dataDir, handleCommand).catch((error) => {
    throw error instanceof FolderHeldError
      ? new StartError(error.message)
      : asStartError(serverRun.config, error)
  })
  try {
    await withReadyFile(serverRun, (openedApp) => {
      app = openedApp
    })
  } finally {
    await folderLock.release()
  }
}

type OnOpen = (app: App) => void

/**
 * Removes an old ready file first and our ready file at the end, because it describes a serving process.
 */
async function withReadyFile(serverRun: ServerRun, onOpen: OnOpen): Promise<void> {
  const { dataDir, readyFile } = serverRun.config
  await rm(readyFile, { force: true })
  for (const file of [readyFile, join(dataDir, 'secrets.key')]) await sweepDrafts(file)
  try {
    await withListener(serverRun, onOpen)
  } finally {
    await removeReadyFile(serverRun.config.readyFile)
  }
}

/** The messages for errors of listening, by their code. */
const LISTEN_ERRORS: Record<string, (config: Config) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use. Stop the program that uses it, or set another PORT.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Set a PORT above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is not an address of this machine.`,
  ENOTFOUND: ({ host }) =>
    `HOST: ${host} is not an address. Write one of this machine, such as 0.0.0.0.`,
}

/** Listens before the database is open, so that early calls are answered with 503. */
async function withListener(serverRun: ServerRun, onOpen: OnOpen): Promise<void> {
  const { config } = serverRun
  if (config.role === 'worker') return withDatabase(serverRun, undefined, onOpen)
  const { host, port, maxConnectionsPerAddress: perAddress, trustedProxies: exempt } = config
  const options = { host, port, limits: { perAddress, exempt }, log: serverRun.log }
  const listener = await openEarlyListener(options, renderByPath).catch((error) => {
    const message = LISTEN_ERRORS[error.code]?.(config)
    throw message === undefined ? error : new StartError(message)
  })
  try {
    await withDatabase(serverRun, listener, onOpen)
  } finally {
    await listener.close()
  }
}

async function withDatabase(
  serverRun: ServerRun,
  listener: EarlyListener | undefined,
  onOpen: OnOpen,
): Promise<void> {
  const { config, log, demo, metrics } = serverRun
  const onConnect: Parameters<typeof openApp>[1]['onConnect'] = (client) =>
    onStatement(client, metrics.countStatement)
  const publicUrl = listener ? publicUrlOf(config, listener) : config.publicUrl
  const opening = openApp(
    { ...config, publicUrl },
    {
      log,
      demo,
      onConnect,
      watchPool: metrics.process.watchPool,
      meter: metrics.process.meter,
    },
  )
  const opened = await waitUnlessStopped(serverRun, opening)
  if (!opened) return
  const { app, close } = opened
  try {
    await serve(serverRun, app, listener, onOpen)
  } finally {
    await close()
  }
}

/** Waits for the database. Waiting for a server can be interrupted; opening the embedded database cannot. */
async function waitUnlessStopped<T>(
  serverRun: ServerRun,
  opening: Promise<T>,
): Promise<T | undefined> {
  if (!serverRun.config.databaseUrl) return opening
  opening.catch(() => {})
  return Promise.race([opening, serverRun.stopped.then(() => undefined)])
}

async function serve(
  serverRun: ServerRun,
  app: App,
  listener: EarlyListener | undefined,
  onOpen: OnOpen,
): Promise<void> {
  const { config, demo, log, stopped } = serverRun
  // A worker has no ready file for the first keys, so it leaves the demo store to the other processes.
  const createdSides = demo && listener ? await seedDemo(app, serverRun) : []
  // The keys are written first, because they cannot be read again after a failure.
  await writeFirstKeys(app, createdSides)
  const url = listener && app.config.publicUrl
  // This query runs before the workers start, whose first queries would delay it on a slow machine.
  const ready = await describeReady(app, url, createdSides)
  const authentication = openAuthentication(app)
  await authentication.rateLimits.opened
  const failures = createRepeatedFailures()
  const flush = () =>
    authentication.flush().then(
      () => failures.end('flush') && log.info('Usage counts are saved again'),
      (err) => failures.isNew('flush', err) && log.warn({ err }, 'Could not save usage counts'),
    )
  const flushTimer = setInterval(flush, FLUSH_MS)
  if (listener) await listener.open(await openSurfacesFor(serverRun, app, listener, authentication))
  const metricsPage = await openMetricsPage(app, serverRun.metrics)
  const workers =
    config.role === 'api' ? undefined : startWorkers(app, serverRun.metrics.webhooks.meter)
  onOpen(app)

  const signInUrl = demo && url ? await demoSignInUrl(app) : undefined
  const startInfo = {
    demo,
    metricsUrl: metricsPage?.url,
    signInUrl,
    firstStartUrl: url ? await firstStartUrl(app) : undefined,
  }
  await writeReadyFile(config.readyFile, ready)
  process.stdout.write(`${banner(app, ready, startInfo)}\n`)
  if (listener) await loadSlowPackages()
  setFlagsFromString(`--semi-space-growth-factor=${YOUNG_GROWTH_FACTOR}`)
  const fillingDemo = serverRun.lively ? fillInBackground(app, stopped) : undefined

  await stopped
  log.info('stopping')
  await fillingDemo
  if (listener) await stopServing(listener, authentication)
  await workers?.stop()
  await Promise.race([
    Promise.allSettled(serverRun.commands),
    pause(COMMANDS_WAIT_MS, undefined, { ref: false }),
  ])
  clearInterval(flushTimer)
  await flush()
  authentication.rateLimits.close()
  await metricsPage?.close()
}

/** Fills the demo shop. It ends between two steps when the process stops. */
async function fillInBackground(app: App, stopped: Promise<unknown>): Promise<void> {
  const stopping = new AbortController()
  void stopped.then(() => stopping.abort())
  const { makeLivelyOnce } = await import('./process/demo/make-lively.ts')
  const printLine = (line: string) => process.stdout.write(`  ${line}\n`)
  await makeLivelyOnce(app, { signal: stopping.signal, print: printLine })
}

/** Stops serving. Readiness fails first, so that load balancers send no further requests. */
async function stopServing(listener: EarlyListener, { auth }: Authentication): Promise<void> {
  listener.failReadiness()
  auth.liveHub.close()
  await pause(READINESS_DRAIN_MS)
  await listener.close()
}

const openSurfacesFor = (
  { metrics, stopped }: ServerRun,
  app: App,
  listener: EarlyListener,
  authentication: Authentication,
) =>
  openSurfaces(app, authentication, {
    version: VERSION,
    storeApiUrl: `${app.config.publicUrl}/v1`,
    metrics,
    isStopping: listener.isStopping,
    ...(!app.config.databaseUrl && { freeBytes: () => freeBytesOf(app.config.dataDir) }),
    async loadDemo() {
      await addLivelyDemo(app)
      void fillInBackground(app, stopped)
    },
  })

/** Returns the public URL. A configured port 0 is replaced by the actual port. */
function publicUrlOf({ publicUrl, port }: Config, listener: EarlyListener): string {
  return port === 0 ? publicUrl.replace(/:0$/, `:${listener.port}`) : publicUrl
}
