import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type PostgresServer, startPostgres, type Unavailable } from '../../postgres/server.ts'
import { type Api, openApi } from './api.ts'
import { type Chance, chanceBy } from './chance.ts'
import { checkEverything } from './checks.ts'
import { makeFaults, supervise, superviseServer } from './faults.ts'
import { buy, type LoadTools, readLists, type Sales, stockOffer, upload } from './load.ts'
import type { DatabaseKind } from './options.ts'
import { openProbe, type Probe } from './probe.ts'
import { makeKeys, openProgram, type Program } from './program.ts'
import { openReceiver, type SoakReceiver } from './receiver.ts'
import type { SoakRecord } from './record.ts'
import { makeLicenses, runPrograms } from './sessions.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

export interface Soak {
  kind: DatabaseKind
  seed: number
  load_ms: number
  faults: readonly string[]
  record: SoakRecord
  say(line: string): void
  isInterrupted(): boolean
}

const BUYERS = 5
const PROGRAMS = 2
const LINE_EVERY_MS = 60_000
const LOOK_MS = 100

/** Closes the opened resources, the last first. */
class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = []
  add(step: () => Promise<unknown>) {
    this.#steps.push(step)
  }
  async run() {
    for (const step of this.#steps.reverse()) await step().catch(() => undefined)
  }
}

/** Load, faults and checks on one database. What is wrong stands in the record afterwards. */
export async function runSoak(soak: Soak): Promise<void> {
  const cleanup = new Cleanup()
  try {
    const scene = await openScene(soak, cleanup)
    if (!scene) return
    await underLoad(soak, scene)
    const { record } = soak
    const { api, program, receiver, sales, probe } = scene
    api.isStopped = false
    await checkEverything({ api, record, program, receiver, sales })
    probe.judge()
    await program.stop()
    soak.say(`${soak.kind}: ${probe.summary()}`)
    soak.say(`${soak.kind}: slowest healthz by fault (bare server): ${probe.worst().join('; ')}`)
  } finally {
    await cleanup.run()
  }
}

interface Scene {
  api: Api
  program: Program
  receiver: SoakReceiver
  probe: Probe
  sales: Sales
  disk: SmallDisk | undefined
  server: PostgresServer | undefined
}

async function openScene(soak: Soak, cleanup: Cleanup): Promise<Scene | undefined> {
  const { record } = soak
  const disk = await openSmallDisk()
  if (disk) cleanup.add(disk.close)
  else soak.say(`${soak.kind}: no full disk, as this user may not mount a small one`)
  const restore = useAsTemporary(disk)
  try {
    const database = await databaseOf(soak, cleanup)
    if (!database) return undefined
    const probe = await openProbe(record)
    cleanup.add(probe.close)
    const receiver = await openReceiver(record, chanceBy(soak.seed + 1))
    cleanup.add(receiver.close)
    const program = await openProgram(record, database.env, probe.aim)
    cleanup.add(program.installation.close)
    await makeKeys(program)
    const api = openApi(record, program)
    const sales: Sales = { offers: [], orders: new Map() }
    return { api, program, receiver, probe, sales, disk, server: database.server }
  } finally {
    restore()
  }
}

/** Everything that is made until it is restored lies on this disk. */
function useAsTemporary(disk: SmallDisk | undefined): () => void {
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
  { kind, record, say }: Soak,
  cleanup: Cleanup,
): Promise<Database | undefined> {
  if (kind === 'embedded') return { env: {}, server: undefined }
  const server: PostgresServer | Unavailable = await startPostgres()
  if ('unavailable' in server) {
    say(`server: left out. ${server.unavailable}`)
    if (process.env.CI) record.problem('process', server.unavailable)
    record.add('left out')
    return undefined
  }
  cleanup.add(server.close)
  const env = {
    DATABASE_URL: server.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  return { env, server }
}

async function underLoad(soak: Soak, scene: Scene): Promise<void> {
  const { record, seed } = soak
  const { api, program, receiver, sales, server } = scene
  const tools = (number: number): LoadTools => ({ api, record, chance: chanceBy(seed + number) })
  await stockOffer(tools(2), sales)
  const hook = { url: receiver.url, events: ['*'] }
  const { webhook, secret } = await api.ask('POST', '/v1/webhooks', hook)
  receiver.secret = secret
  // An endpoint that never succeeded is turned off by its fortieth failure, which a receiver that is down
  // from the start soon reaches.
  receiver.mood = 'well'
  await api.ask('POST', `/v1/webhooks/${webhook.id}/test`, {})
  receiver.mood = 'fickle'
  const licenses = await makeLicenses(tools(3))
  const hostile = await api.ask('POST', '/v1/products', { name: 'Target', price_cents: 100 })
  const target = { product: hostile.product.id, appId: licenses.appId }

  const chance: Chance = chanceBy(seed)
  const clients = [
    ...Array.from({ length: BUYERS }, (_, at) => buy(tools(10 + at), sales, `buyer-${at}`)),
    ...Array.from({ length: PROGRAMS }, (_, at) => runPrograms(tools(20 + at), program, licenses)),
    readLists(tools(30)),
    upload(tools(31), sales),
  ]
  const faults = makeFaults({ ...scene, record, chance, target }, soak.faults)
  let isOver = false
  const supervisors = [
    supervise(program, () => isOver),
    server && superviseServer(server, record, () => isOver),
  ]
  const wait = waitAndSay(soak, scene).then(() => {
    api.isStopped = true
  })
  try {
    await Promise.race([wait, Promise.all([wait, faults, ...clients])])
    await Promise.all([faults, ...clients])
    await untilUp(program)
  } finally {
    api.isStopped = true
    isOver = true
    await Promise.all(supervisors)
  }
}

const UP_MAX_MS = 90_000

async function untilUp(program: Program): Promise<void> {
  for (const until = Date.now() + UP_MAX_MS; program.down || !program.server; ) {
    if (Date.now() > until) throw new Error('The program did not start again.')
    await pause(LOOK_MS)
  }
}

/** Waits for the end of the load, with a line for each minute. */
async function waitAndSay(soak: Soak, { probe }: Scene): Promise<void> {
  const until = Date.now() + soak.load_ms
  let next = Date.now() + LINE_EVERY_MS
  let before = new Map<string, number>()
  const say = () => {
    soak.say(
      `${soak.kind} ${soak.record.elapsed()} ${lineOf(soak.record, before)}; ${probe.summary()}`,
    )
    before = new Map(soak.record.counts)
  }
  while (Date.now() < until && !soak.isInterrupted()) {
    await pause(LOOK_MS)
    if (Date.now() < next || next + LOOK_MS > until) continue
    say()
    next += LINE_EVERY_MS
  }
  say()
}

/** Returns the counts since `before`. */
export function lineOf({ counts }: SoakRecord, before = new Map<string, number>()): string {
  return [...counts]
    .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
