import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import type { Random } from './random.ts'
import type { OrderRef, ProgramDevice, Scenario } from './scenario.ts'
import { APP, LATEST_VERSIONS, NEWS_KEY, PRESETS, SETTINGS, STRINGS } from './texts-of-programs.ts'

const PLATFORMS = [
  ['Windows 11', 55],
  ['macOS 26', 33],
  ['Ubuntu 26.04', 12],
] as const
const DEVICE_NAMES = ['Desk', 'Laptop', 'Studio', 'Travel'] as const
/** The probability that a buyer starts the program. */
const START_PROBABILITY = 0.85
const SECOND_DEVICE_PROBABILITY = 0.2
/** The number of sessions that run at present. */
const RUNNING_SESSIONS = 7
const REPORTS = [
  { kind: 'debugger', detail: 'A debugger was attached to the process.' },
  { kind: 'modified_file', detail: 'The checksum of export.dll differs from the release.' },
  { kind: 'debugger', detail: 'A debugger was attached to the process.' },
] as const

/** Plans the app with its strings, files and settings, and the newest sessions, reports and bans. */
export function planPrograms(scenario: Scenario): void {
  const { client, from, until } = scenario
  scenario.plan(from, () => setUpApp(scenario))
  planReports(scenario)
  for (let index = 0; index < RUNNING_SESSIONS; index++) {
    const moment = until - (RUNNING_SESSIONS - index) * 4 * MINUTE_MS
    scenario.plan(moment, async () => {
      // Every second of the newest devices, so that older ones have sessions too.
      const device = client.devices.at(-1 - 2 * index)
      if (device) await startSession(scenario, device)
    })
  }
  scenario.plan(until, () => client.programs.saveUses())
}

async function setUpApp(scenario: Scenario): Promise<void> {
  const { app } = scenario.client
  const { apps } = await scenario.call<{ apps: (typeof app)[] }>('apps.list', {})
  Object.assign(app, apps[0])
  await release(scenario, APP)
  for (const body of STRINGS) await scenario.call('serverside_strings.create', { body })
  for (const body of SETTINGS) {
    const { remote_setting } = await scenario.call<{ remote_setting: { id: number } }>(
      'remote_settings.create',
      { body },
    )
    if (body.key === NEWS_KEY) planReleases(scenario, remote_setting.id)
  }
  const file = { name: PRESETS.name, bytes: Buffer.from(PRESETS.content) }
  await scenario.call('serverside_files.create', { body: { name: PRESETS.name }, file })
}

/** Sets the latest version of the app, and the other fields in `body`. */
async function release(
  { call, client }: Scenario,
  body: { latest_version: string },
): Promise<void> {
  await call('apps.update', { params: { id: client.app.id }, body })
  client.app.latest_version = body.latest_version
}

/** Plans the later versions of the program, and the news of each. */
function planReleases(scenario: Scenario, newsId: number): void {
  const { from, until } = scenario
  const interval_ms = (until - from) / (LATEST_VERSIONS.length + 1)
  for (const [index, latest_version] of LATEST_VERSIONS.entries()) {
    scenario.plan(from + (index + 1) * interval_ms, async () => {
      await release(scenario, { latest_version })
      const body = { value: `Version ${latest_version} is available.` }
      await scenario.call('remote_settings.update', { params: { id: newsId }, body })
    })
  }
}

/** Plans the first starts of the program with the licenses of a paid order, if it has any. */
export function planStarts(scenario: Scenario, { id, items }: OrderRef, paidAt: number): void {
  const { random } = scenario.client
  if (!items.some(({ delivery_type }) => delivery_type === 'license')) return
  if (!random.chance(START_PROBABILITY)) return
  const firstStart = paidAt + random.whole(6, 240) * MINUTE_MS
  scenario.plan(firstStart, async () => {
    const { order } = await scenario.call<{ order: { deliveries: { keys: string[] }[] } }>(
      'orders.get',
      { params: { id } },
    )
    for (const license_key of order.deliveries.flatMap(({ keys }) => keys).slice(0, 2)) {
      planUse(scenario, newDevice(random, license_key), firstStart)
      if (random.chance(SECOND_DEVICE_PROBABILITY))
        planUse(scenario, newDevice(random, license_key), firstStart + 2 * DAY_MS)
    }
  })
}

function newDevice(random: Random, license_key: string): ProgramDevice {
  const fingerprint = Array.from({ length: 4 }, () =>
    random.whole(0x1000_0000, 0xffff_ffff).toString(16),
  ).join('')
  const platform = random.weighted(PLATFORMS)
  return {
    license_key,
    ip: `192.0.2.${random.whole(1, 254)}`,
    device: { fingerprint, name: random.pick(DEVICE_NAMES), platform },
  }
}

/** Plans up to three sessions of a device, some days apart. */
function planUse(scenario: Scenario, device: ProgramDevice, firstStart: number): void {
  const { random } = scenario.client
  const sessions = random.whole(1, 3)
  for (let index = 0, moment = firstStart; index < sessions; index++) {
    const end = moment + random.whole(15, 150) * MINUTE_MS
    scenario.plan(moment, async () => {
      const session = await startSession(scenario, device)
      if (session) scenario.plan(end, () => runProgram(scenario, session, 'client.end_session'))
    })
    moment += random.whole(1, 9) * DAY_MS + random.whole(0, 8) * HOUR_MS
  }
}

interface DemoSession {
  token: string
  device: ProgramDevice
}

/** Starts a session and reads what the program needs. Returns undefined if the license is not valid. */
async function startSession(
  scenario: Scenario,
  device: ProgramDevice,
): Promise<DemoSession | undefined> {
  const { programs, app, devices } = scenario.client
  const { ip, ...license } = device
  const validation = { operation: 'client.validate', app, ip, body: license }
  await programs.run(validation, scenario.now())
  const body = { ...license, app_version: app.latest_version }
  const start = { operation: 'client.start_session', app, ip, body }
  const { session } = await programs.run<{ session?: { token: string } }>(start, scenario.now())
  if (!session) return undefined
  const newSession = { token: session.token, device }
  devices.push(device)
  await runProgram(scenario, newSession, 'client.read_settings')
  await runProgram(scenario, newSession, 'client.read_string', {
    params: { name: STRINGS[0].name },
  })
  return newSession
}

const runProgram = (
  scenario: Scenario,
  { token, device: { ip } }: DemoSession,
  operation: string,
  input: { params?: Record<string, string>; body?: object } = {},
): Promise<unknown> => {
  const { programs, app } = scenario.client
  return programs.run({ operation, app, ip, token, ...input }, scenario.now())
}

/** Plans reports of tampering, each of another device, one of which is banned, and a ban of addresses. */
function planReports(scenario: Scenario): void {
  const tried = new Set<ProgramDevice>()
  for (const [index, body] of REPORTS.entries()) {
    scenario.plan(scenario.until - (REPORTS.length - index) * 30 * HOUR_MS, () =>
      reportFromNextDevice(scenario, tried, body),
    )
  }
  scenario.plan(scenario.until - 50 * HOUR_MS, () => {
    const reason = 'A data centre from which shared keys were used'
    return scenario.call('device_bans.create', { body: { ip_cidr: '203.0.113.0/24', reason } })
  })
}

/** Reports from the first device that is not in `tried` and whose license is valid. */
async function reportFromNextDevice(
  scenario: Scenario,
  tried: Set<ProgramDevice>,
  body: (typeof REPORTS)[number],
): Promise<void> {
  for (const device of new Set(scenario.client.devices)) {
    if (tried.has(device)) continue
    tried.add(device)
    const session = await startSession(scenario, device)
    if (session) return void (await runProgram(scenario, session, 'client.report', { body }))
  }
}
