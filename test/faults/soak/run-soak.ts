import { type Chance, createChance } from '../../chance.mjs'
import { timeLimit } from '../../clock.ts'
import { type PostgresServer, startPostgres, type Unavailable } from '../../postgres/server.ts'
import { settingsFor } from '../../process/real-postgres.ts'
import { elapse, until } from '../../until.ts'
import { type Api, openApi } from './api.ts'
import { checkFinalState } from './checks.ts'
import { causeFaults, supervise, superviseServer } from './faults.ts'
import { buy, createOffer, type LoadTools, readLists, type Sales, upload } from './load.ts'
import type { DatabaseKind } from './options.ts'
import { openProbe, type Probe } from './probe.ts'
import { createKeys, openProgram, type Program } from './program.ts'
import { openReceiver, type SoakReceiver } from './receiver.ts'
import type { SoakRecord } from './record.ts'
import { createLicenses, runPrograms } from './sessions.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

interface Soak {
  kind: DatabaseKind
  seed: number
  load_ms: number
  faults: readonly string[]
  record: SoakRecord
  print(line: string): void
  isInterrupted(): boolean
}

const BUYERS = 5
const PROGRAMS = 2
const SUMMARY_INTERVAL_MS = 60_000
const POLL_MS = 100

/** Closes the opened resources, in reverse order. */
class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = []
  add(step: () => Promise<unknown>) {
    this.#steps.push(step)
  }
  async run() {
    for (const step of this.#steps.reverse()) await step().catch(() => undefined)
  }
}

/** Runs load, faults and checks on one database. Adds the problems to the record. */
export async function runSoak(soak: Soak): Promise<void> {
  const cleanup = new Cleanup()
  try {
    const setup = await openSetup(soak, cleanup)
    if (!setup) return
    await underLoad(soak, setup)
    const { record } = soak
    const { api, program, receiver, sales, probe } = setup
    api.isStopped = false
    await checkFinalState({ api, record, program, receiver, sales })
    probe.checkDurations()
    await program.stop()
    soak.print(`${soak.kind}: ${probe.summary()}`)
    const slowest = probe.slowestByFault().join('; ')
    soak.print(`${soak.kind}: slowest healthz by fault (bare server): ${slowest}`)
  } finally {
    await cleanup.run()
  }
}

interface Setup {
  api: Api
  program: Program
  receiver: SoakReceiver
  probe: Probe
  sales: Sales
  disk: SmallDisk | undefined
  server: PostgresServer | undefined
}

async function openSetup(soak: Soak, cleanup: Cleanup): Promise<Setup | undefined> {
  const { record } = soak
  const disk = await openSmallDisk()
  if (disk) cleanup.add(disk.close)
  else soak.print(`${soak.kind}: no full disk, as this user may not mount a small one`)
  const restoreTmpdir = useAsTmpdir(disk)
  try {
    const database = await databaseOf(soak, cleanup)
    if (!database) return undefined
    const probe = await openProbe(record)
    cleanup.add(probe.close)
    const receiver = await openReceiver(record, createChance(soak.seed + 1))
    cleanup.add(receiver.close)
    const program = await openProgram(record, database.env, probe.setOrigin)
    cleanup.add(program.installation.close)
    await createKeys(program)
    const api = openApi(record, program)
    const sales: Sales = { offers: [], orders: new Map() }
    return { api, program, receiver, probe, sales, disk, server: database.server }
  } finally {
    restoreTmpdir()
  }
}

/** Sets TMPDIR to the disk, so that all files are created there. Returns a function that restores TMPDIR. */
function useAsTmpdir(disk: SmallDisk | undefined): () => void {
  const before = process.env.TMPDIR
  if (disk) process.env.TMPDIR = disk.folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

interface Database {
  env: Record<string, string>
  server: PostgresServer | undefined
}

async function databaseOf(
  { kind, record, print }: Soak,
  cleanup: Cleanup,
): Promise<Database | undefined> {
  if (kind === 'embedded') return { env: {}, server: undefined }
  const server: PostgresServer | Unavailable = await startPostgres()
  if ('unavailable' in server) {
    print(`server: left out. ${server.unavailable}`)
    if (process.env.CI) record.problem('process', server.unavailable)
    record.add('left out')
    return undefined
  }
  cleanup.add(server.close)
  const env = settingsFor(server.url)
  return { env, server }
}

async function underLoad(soak: Soak, setup: Setup): Promise<void> {
  const { record, seed } = soak
  const { api, program, receiver, sales, server } = setup
  const tools = (number: number): LoadTools => ({
    api,
    record,
    chance: createChance(seed + number),
  })
  await createOffer(tools(2), sales)
  const endpoint = { url: receiver.url, events: ['*'] }
  const { webhook, secret } = await api.request('POST', '/v1/webhooks', endpoint)
  receiver.secret = secret
  // An endpoint without any success is turned off by its fortieth failure. If the receiver is down at first, it would
  // soon have forty.
  receiver.mode = 'healthy'
  await api.request('POST', `/v1/webhooks/${webhook.id}/test`, {})
  receiver.mode = 'unreliable'
  const licenses = await createLicenses(tools(3))
  const { product } = await api.request('POST', '/v1/products', {
    name: 'Target',
    price_cents: 100,
  })
  const target = { product: product.id, appId: licenses.appId }

  const chance: Chance = createChance(seed)
  const clients = [
    ...Array.from({ length: BUYERS }, (_, at) => buy(tools(10 + at), sales, `buyer-${at}`)),
    ...Array.from({ length: PROGRAMS }, (_, at) => runPrograms(tools(20 + at), program, licenses)),
    readLists(tools(30)),
    upload(tools(31), sales),
  ]
  const faults = causeFaults({ ...setup, record, chance, target }, soak.faults)
  let isOver = false
  const supervisors = [
    supervise(program, () => isOver),
    server && superviseServer(server, record, () => isOver),
  ]
  const wait = waitForEnd(soak, setup).then(() => {
    api.isStopped = true
  })
  try {
    // If a client or a fault throws, the wait for the end of the load is not completed.
    await Promise.race([wait, Promise.all([wait, faults, ...clients])])
    await Promise.all([faults, ...clients])
    await until(() => !program.down && program.server !== undefined, UP_TIMEOUT_MS)
  } finally {
    api.isStopped = true
    isOver = true
    await Promise.all(supervisors)
  }
}

const UP_TIMEOUT_MS = 90_000

/** Waits for the end of the load, and prints a summary each minute. */
async function waitForEnd({ kind, record, ...soak }: Soak, { probe }: Setup): Promise<void> {
  const isOver = timeLimit(soak.load_ms)
  let isSummaryDue = timeLimit(SUMMARY_INTERVAL_MS)
  let before = new Map<string, number>()
  const printSummary = () => {
    const counts = countsText(record, before)
    soak.print(`${kind} ${record.elapsed()} ${counts}; ${probe.summary()}`)
    before = new Map(record.counts)
  }
  while (!isOver() && !soak.isInterrupted()) {
    await elapse(POLL_MS)
    if (!isSummaryDue() || isOver()) continue
    printSummary()
    isSummaryDue = timeLimit(SUMMARY_INTERVAL_MS)
  }
  printSummary()
}

/** Returns the counts since `before`. */
export function countsText({ counts }: SoakRecord, before = new Map<string, number>()): string {
  return [...counts]
    .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
