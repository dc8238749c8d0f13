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
  /** The answer that the program received, in the words of the API or of the client. */
  answer: string
  /** True if this is the correct answer. */
  isExpected: boolean
  /**
   * True if the program's lease allows it to run; undefined if the step does not concern a lease.
   */
  mayRun?: boolean | undefined
}

/** A step that was run, with its result. */
export interface StepResult extends Outcome {
  name: StepName
  actor: Actor
  exchanges: readonly Exchange[]
}

const DAY_MS = 86_400_000
const FILE_TTL_S = 3_600
const RANDOM_NAME_LENGTH = 32
/** The value of the string that the program reads. The dashboard itself gets it masked. */
const STRING_VALUE = 'Well done.'

const randomName = () => randomKey().replaceAll('-', '').slice(0, RANDOM_NAME_LENGTH)

/** The state that the steps of a rehearsal share. */
interface Rehearsal {
  store: StoreContext
  app: ClientApp
  network: ProgramNetwork
  /** The public keys that are built into the program. */
  keys: readonly TrustedKey[]
  program?: ClientSecurity
  license?: LicenseKey
  string?: ServersideString
  licenseFile?: string
}

/** Sends a request of the seller's server, and records the exchange. */
async function asServer<Answer>({ store, network }: Rehearsal, request: Request): Promise<Answer> {
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

/** Returns a result of an earlier step. Throws if that step failed. */
function fromEarlierStep<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('An earlier step failed.')
  return value
}

const answerOutcome = ({ code }: LicenseAnswer, expected: string): Outcome => ({
  answer: code,
  isExpected: code === expected,
})

/** The outcome of a call that is expected to fail with an error of this kind. */
async function errorOutcome(
  work: Promise<unknown>,
  kind: typeof UntrustedError | typeof UnknownError | typeof RefusedError,
): Promise<Outcome> {
  try {
    await work
    return { answer: 'VALID', isExpected: false }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { answer: `${error.name}: ${error.message}`, isExpected: error instanceof kind }
  }
}

/** The program on a new machine, which has its own fingerprint and its own device key. */
const newProgram = async ({ app, keys, network }: Rehearsal) =>
  new ClientSecurity({
    url: `${location.origin}${BASE}/security/v1`,
    appId: app.public_id,
    keys,
    fingerprint: randomName(),
    device: await deviceSigner(await newDeviceKey()),
    fetch: network.fetch,
  })

/** The request that creates the license key of the rehearsal. */
export const createKeyRequest = (appId: number): Request =>
  securityRequest('licenseKeys', 'create', { app_id: appId, max_devices: 1, note: 'Rehearsal' })

/**
 * Creates the records of the rehearsal: a key for one device and a string. Also creates the program,
 * with the app's public keys built in.
 */
async function prepare(rehearsal: Rehearsal): Promise<Outcome> {
  const { app } = rehearsal
  const { keys } = await asServer<{ keys: LicenseKey[] }>(rehearsal, createKeyRequest(app.id))
  rehearsal.license = fromEarlierStep(keys[0])
  const name = `rehearsal.${randomName()}`
  const created = await asServer<{ serverside_string: ServersideString }>(
    rehearsal,
    securityRequest('serversideStrings', 'create', { app_id: app.id, name, value: STRING_VALUE }),
  )
  rehearsal.string = created.serverside_string
  const { signing_keys } = await asServer<{ signing_keys: TrustedKey[] }>(
    rehearsal,
    securityRequest('apps', 'listSigningKeys', app.id),
  )
  rehearsal.keys = signing_keys
  rehearsal.program = await newProgram(rehearsal)
  return { answer: `…${rehearsal.license.key_preview}`, isExpected: true }
}

const versionsOf = ({ latest_version, min_version, allowed_checksums }: ClientApp) => ({
  app_version: latest_version ?? min_version ?? '1.0.0',
  ...(allowed_checksums[0] !== undefined && { app_checksum: allowed_checksums[0] }),
})

const start = async ({ program, license, app }: Rehearsal) =>
  answerOutcome(
    await fromEarlierStep(program).start(fromEarlierStep(license).key, versionsOf(app)),
    'VALID',
  )

const heartbeat = async ({ program }: Rehearsal) =>
  answerOutcome(await fromEarlierStep(program).heartbeat(), 'VALID')

async function readString({ program, string }: Rehearsal): Promise<Outcome> {
  const { name } = fromEarlierStep(string)
  const answer = await fromEarlierStep(program).string(name)
  return { answer, isExpected: answer === STRING_VALUE }
}

/** Starts the program on another machine, with the same license key. */
async function startOnSecondMachine(rehearsal: Rehearsal): Promise<Outcome> {
  const other = await newProgram(rehearsal)
  const answer = await other.start(
    fromEarlierStep(rehearsal.license).key,
    versionsOf(rehearsal.app),
  )
  return { ...answerOutcome(answer, 'DEVICE_LIMIT_REACHED'), mayRun: other.mayRun() }
}

async function heartbeatWithForgedAnswer({ program, network }: Rehearsal): Promise<Outcome> {
  network.mode = 'forged'
  try {
    return await errorOutcome(fromEarlierStep(program).heartbeat(), UntrustedError)
  } finally {
    network.mode = 'open'
  }
}

async function issueFile(rehearsal: Rehearsal): Promise<Outcome> {
  rehearsal.licenseFile = await fromEarlierStep(rehearsal.program).licenseFile(FILE_TTL_S)
  return checkFile(rehearsal)
}

async function checkFile({ program, licenseFile }: Rehearsal): Promise<Outcome> {
  const { expires_at } = await fromEarlierStep(program).checkLicenseFile(
    fromEarlierStep(licenseFile),
  )
  return { answer: `VALID, ${expires_at}`, isExpected: true }
}

async function heartbeatOffline({ program, network }: Rehearsal): Promise<Outcome> {
  network.mode = 'cut'
  try {
    const outcome = await errorOutcome(fromEarlierStep(program).heartbeat(), UnknownError)
    return { ...outcome, isExpected: outcome.isExpected && fromEarlierStep(program).mayRun() }
  } finally {
    network.mode = 'open'
  }
}

const checkFileWithClockSetBack = ({ program, licenseFile }: Rehearsal) => {
  const client = fromEarlierStep(program)
  const yesterday = Date.now() - DAY_MS
  return errorOutcome(
    client.checkLicenseFile(fromEarlierStep(licenseFile), client.latestSeen, yesterday),
    UntrustedError,
  )
}

async function ban(rehearsal: Rehearsal): Promise<Outcome> {
  const { id } = fromEarlierStep(rehearsal.license)
  const request = securityRequest('licenseKeys', 'ban', id, { reason: 'Rehearsal' })
  const { key } = await asServer<{ key: LicenseKey }>(rehearsal, request)
  return { answer: key.status, isExpected: key.status === 'banned' }
}

/** The ban ended the session, so its next call is refused. */
async function heartbeatAfterBan({ program }: Rehearsal): Promise<Outcome> {
  const client = fromEarlierStep(program)
  try {
    const { code, valid } = await client.heartbeat()
    return { answer: code, isExpected: !valid && !client.mayRun() }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return { answer: `${error.status}: ${error.message}`, isExpected: !client.mayRun() }
  }
}

const startBanned = async ({ program, license, app }: Rehearsal) =>
  answerOutcome(
    await fromEarlierStep(program).start(fromEarlierStep(license).key, versionsOf(app)),
    'BANNED',
  )

/** Deletes the records of the rehearsal, also after a failed step. */
async function cleanUp(rehearsal: Rehearsal): Promise<Outcome> {
  const { license, string } = rehearsal
  if (license) await asServer(rehearsal, securityRequest('licenseKeys', 'delete', license.id))
  if (string) await asServer(rehearsal, securityRequest('serversideStrings', 'delete', string.id))
  return { answer: '', isExpected: true }
}

const STEPS = [
  ['prepare', 'server', prepare],
  ['start', 'program', start],
  ['heartbeat', 'program', heartbeat],
  ['string', 'program', readString],
  ['secondMachine', 'program', startOnSecondMachine],
  ['forged', 'program', heartbeatWithForgedAnswer],
  ['file', 'program', issueFile],
  ['offline', 'machine', heartbeatOffline],
  ['offlineFile', 'machine', checkFile],
  ['clockBack', 'machine', checkFileWithClockSetBack],
  ['ban', 'server', ban],
  ['afterBan', 'program', heartbeatAfterBan],
  ['startBanned', 'program', startBanned],
  ['fileAfterBan', 'machine', checkFile],
] as const satisfies readonly (readonly [
  string,
  Actor,
  (rehearsal: Rehearsal) => Promise<Outcome>,
])[]

const CLEAN_UP = ['cleanUp', 'server', cleanUp] as const

type StepName = (typeof STEPS)[number][0] | 'cleanUp'
type Step = readonly [StepName, Actor, (rehearsal: Rehearsal) => Promise<Outcome>]

export const STEPS_COUNT = STEPS.length + 1

async function runStep([name, actor, run]: Step, rehearsal: Rehearsal): Promise<StepResult> {
  rehearsal.network.exchanges = []
  const outcome: Outcome = await run(rehearsal).catch((error: unknown) => ({
    answer: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    isExpected: false,
  }))
  const { program, network } = rehearsal
  const hasProgram = name !== 'prepare' && name !== 'cleanUp'
  const mayRun = hasProgram ? program?.mayRun() : undefined
  return { mayRun, ...outcome, name, actor, exchanges: network.exchanges }
}

/**
 * Runs a shipped program against the store. The published client speaks the real protocol to the
 * running server, with its own device key. After a failed step, only the clean-up runs.
 */
export async function* rehearse(store: StoreContext, app: ClientApp): AsyncGenerator<StepResult> {
  const rehearsal: Rehearsal = { store, app, keys: [], network: new ProgramNetwork() }
  for (const step of STEPS) {
    const result = await runStep(step, rehearsal)
    yield result
    if (!result.isExpected) break
  }
  yield await runStep(CLEAN_UP, rehearsal)
}
