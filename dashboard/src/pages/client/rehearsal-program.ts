import { randomKey } from '../../../../sdk/client/random-key.ts'
import {
  ClientSecurity,
  deviceSigner,
  type LicenseAnswer,
  newDeviceKey,
  RefusedError,
  type TrustedKey,
  UnknownError,
  UntrustedError,
} from '../../../../sdk/client-security/index.ts'
import { type Request, securityRequest } from '../../api/action.ts'
import { BASE } from '../../api/call.ts'
import type { ClientApp, LicenseKey, ServersideString } from '../../api/security.ts'
import type { StoreContext } from '../../api/store.ts'
import { type Exchange, ProgramNetwork } from './rehearsal-network.ts'

/** The actor of a step: the seller's server, the shipped program, or the program without the network. */
export type Actor = 'server' | 'program' | 'machine'

export interface Outcome {
  /** The answer that the program got, in the words of the API or of the client. */
  got: string
  /** True if this is the right answer of a store. */
  isExpected: boolean
  /** True if the lease of the program lets it run; undefined where the step is not about a lease. */
  mayRun?: boolean | undefined
}

/** A step that was played. */
export interface Played extends Outcome {
  name: StepName
  actor: Actor
  exchanges: readonly Exchange[]
}

const DAY_MS = 86_400_000
const FILE_TTL_S = 3_600
const FINGERPRINT_LENGTH = 32

const randomName = () => randomKey().replaceAll('-', '').slice(0, FINGERPRINT_LENGTH)

/** The state that the steps share. */
interface Scene {
  store: StoreContext
  app: ClientApp
  network: ProgramNetwork
  /** The public keys that are built into the program. */
  keys: readonly TrustedKey[]
  program?: ClientSecurity
  license?: LicenseKey
  string?: ServersideString
  file?: string
}

/** Sends a request of the seller's server, and keeps the exchange. */
async function asServer<Answer>({ store, network }: Scene, request: Request): Promise<Answer> {
  const answer = await request.send(store)
  network.exchanges.push({
    method: request.method,
    path: request.publicPath ?? '',
    headers: [],
    body: request.body === undefined ? undefined : JSON.stringify(request.body, null, 2),
    answer: JSON.stringify(answer, null, 2),
  })
  return answer as Answer
}

/** Throws if an earlier step failed, so that the steps after it are not played. */
function need<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('An earlier step failed.')
  return value
}

const codeOf = ({ code }: LicenseAnswer, expected: string): Outcome => ({
  got: code,
  isExpected: code === expected,
})

/** The error that a step is expected to end with. */
async function errorOf(
  work: Promise<unknown>,
  kind: typeof UntrustedError | typeof UnknownError | typeof RefusedError,
): Promise<Outcome> {
  try {
    await work
    return { got: 'VALID', isExpected: false }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { got: `${error.name}: ${error.message}`, isExpected: error instanceof kind }
  }
}

/** The program on a new machine, which has a fingerprint and a device key of its own. */
const newProgram = async ({ app, keys, network }: Scene) =>
  new ClientSecurity({
    url: `${location.origin}${BASE}/security/v1`,
    appId: app.public_id,
    keys,
    fingerprint: randomName(),
    device: await deviceSigner(await newDeviceKey()),
    fetch: network.fetch,
  })

/** Makes what the rehearsal needs: a key for one device, a string, and a program with pinned keys. */
async function prepare(scene: Scene): Promise<Outcome> {
  const { app } = scene
  const { keys } = await asServer<{ keys: LicenseKey[] }>(
    scene,
    securityRequest('licenseKeys', 'create', { app_id: app.id, max_devices: 1, note: 'Rehearsal' }),
  )
  scene.license = need(keys[0])
  const name = `rehearsal.${randomName()}`
  const made = await asServer<{ serverside_string: ServersideString }>(
    scene,
    securityRequest('serversideStrings', 'create', { app_id: app.id, name, value: 'Well done.' }),
  )
  scene.string = made.serverside_string
  const { signing_keys } = await asServer<{ signing_keys: TrustedKey[] }>(
    scene,
    securityRequest('apps', 'listSigningKeys', app.id),
  )
  scene.keys = signing_keys
  scene.program = await newProgram(scene)
  return { got: `…${scene.license.key_preview}`, isExpected: true }
}

const versionsOf = ({ latest_version, min_version, allowed_checksums }: ClientApp) => ({
  app_version: latest_version ?? min_version ?? '1.0.0',
  ...(allowed_checksums[0] !== undefined && { app_checksum: allowed_checksums[0] }),
})

const start = async ({ program, license, app }: Scene) =>
  codeOf(await need(program).start(need(license).key, versionsOf(app)), 'VALID')

const heartbeat = async ({ program }: Scene) => codeOf(await need(program).heartbeat(), 'VALID')

async function readString({ program, string }: Scene): Promise<Outcome> {
  const { name, value } = need(string)
  const got = await need(program).string(name)
  return { got, isExpected: got === value }
}

/** Another machine, with the same key. */
async function secondMachine(scene: Scene): Promise<Outcome> {
  const other = await newProgram(scene)
  const answer = await other.start(need(scene.license).key, versionsOf(scene.app))
  return { ...codeOf(answer, 'DEVICE_LIMIT_REACHED'), mayRun: other.mayRun() }
}

async function forged({ program, network }: Scene): Promise<Outcome> {
  network.mode = 'forged'
  try {
    return await errorOf(need(program).heartbeat(), UntrustedError)
  } finally {
    network.mode = 'open'
  }
}

async function takeFile(scene: Scene): Promise<Outcome> {
  scene.file = await need(scene.program).licenseFile(FILE_TTL_S)
  return checkFile(scene)
}

async function checkFile({ program, file }: Scene): Promise<Outcome> {
  const { expires_at } = await need(program).checkLicenseFile(need(file))
  return { got: `VALID, ${expires_at}`, isExpected: true }
}

async function offline({ program, network }: Scene): Promise<Outcome> {
  network.mode = 'cut'
  try {
    const outcome = await errorOf(need(program).heartbeat(), UnknownError)
    return { ...outcome, isExpected: outcome.isExpected && need(program).mayRun() }
  } finally {
    network.mode = 'open'
  }
}

const clockBack = ({ program, file }: Scene) => {
  const client = need(program)
  const yesterday = Date.now() - DAY_MS
  return errorOf(client.checkLicenseFile(need(file), client.latestSeen, yesterday), UntrustedError)
}

async function ban(scene: Scene): Promise<Outcome> {
  const { id } = need(scene.license)
  const request = securityRequest('licenseKeys', 'ban', id, { reason: 'Rehearsal' })
  const { key } = await asServer<{ key: LicenseKey }>(scene, request)
  return { got: key.status, isExpected: key.status === 'banned' }
}

/** The session ended with the ban, so its next call is refused. */
async function afterBan({ program }: Scene): Promise<Outcome> {
  const client = need(program)
  try {
    const { code, valid } = await client.heartbeat()
    return { got: code, isExpected: !valid && !client.mayRun() }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return { got: `${error.status}: ${error.message}`, isExpected: !client.mayRun() }
  }
}

const startBanned = async ({ program, license, app }: Scene) =>
  codeOf(await need(program).start(need(license).key, versionsOf(app)), 'BANNED')

/** Removes the records of the rehearsal, also after a failed step. */
async function cleanUp(scene: Scene): Promise<Outcome> {
  const { license, string } = scene
  if (license) await asServer(scene, securityRequest('licenseKeys', 'delete', license.id))
  if (string) await asServer(scene, securityRequest('serversideStrings', 'delete', string.id))
  return { got: '', isExpected: true }
}

const STEPS = [
  ['prepare', 'server', prepare],
  ['start', 'program', start],
  ['heartbeat', 'program', heartbeat],
  ['string', 'program', readString],
  ['secondMachine', 'program', secondMachine],
  ['forged', 'program', forged],
  ['file', 'program', takeFile],
  ['offline', 'machine', offline],
  ['offlineFile', 'machine', checkFile],
  ['clockBack', 'machine', clockBack],
  ['ban', 'server', ban],
  ['afterBan', 'program', afterBan],
  ['startBanned', 'program', startBanned],
  ['fileAfterBan', 'machine', checkFile],
] as const satisfies readonly (readonly [string, Actor, (scene: Scene) => Promise<Outcome>])[]

const CLEAN_UP = ['cleanUp', 'server', cleanUp] as const

export type StepName = (typeof STEPS)[number][0] | 'cleanUp'
type Step = readonly [StepName, Actor, (scene: Scene) => Promise<Outcome>]

export const STEPS_COUNT = STEPS.length + 1

async function play([name, actor, run]: Step, scene: Scene): Promise<Played> {
  scene.network.exchanges = []
  const outcome: Outcome = await run(scene).catch((error: unknown) => ({
    got: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    isExpected: false,
  }))
  const { program, network } = scene
  const isPlaying = name !== 'prepare' && name !== 'cleanUp'
  const mayRun = isPlaying ? program?.mayRun() : undefined
  return { mayRun, ...outcome, name, actor, exchanges: network.exchanges }
}

/**
 * Plays a shipped program against the store: the published client runs the real protocol, with its own device
 * key, against the running server. After a step that failed, it only removes what it made.
 */
export async function* rehearse(store: StoreContext, app: ClientApp): AsyncGenerator<Played> {
  const scene: Scene = { store, app, keys: [], network: new ProgramNetwork() }
  for (const step of STEPS) {
    const played = await play(step, scene)
    yield played
    if (!played.isExpected) break
  }
  yield await play(CLEAN_UP, scene)
}
