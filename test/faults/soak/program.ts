import type { Json } from '../../harness.ts'
import { shiftClock } from '../../process/shift-clock.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Server,
} from '../../process/spawn-server.ts'
import type { FaultWindow, SoakRecord } from './record.ts'

/** The built program, with keys that stay valid after each restart. */
export interface Program {
  installation: Installation
  /** Undefined while the program is not running. */
  server: Server | undefined
  store: string
  key: string
  /** The API key of the Client Security API. */
  securityKey: string
  /** Starts the program, and reports an unexpected end. */
  start(): Promise<Server>
  /** Restarts the program after it was killed or has exited. */
  restart(window: FaultWindow): Promise<void>
  /** Kills the program. Returns undefined if the program was not running. */
  kill(): Promise<FaultWindow | undefined>
  setClock(shift_ms: number): Promise<void>
  /** True if the current fault may end the program. */
  mayEnd: boolean
  /** The fault window of an unexpected end, until the program is restarted. */
  down: FaultWindow | undefined
  stop(): Promise<void>
}

/** The sockets of a process close at most this long before its end is detected. */
const DETECTION_MS = 500

export async function openProgram(
  record: SoakRecord,
  env: Record<string, string>,
  setProbeOrigin: (origin: string | null) => void,
): Promise<Program> {
  const installation = await createMigratedInstallation(env, { v8Flags: [] })
  const clock = await shiftClock(installation)
  let isEndExpected = false

  const program: Program = {
    installation,
    server: undefined,
    store: '',
    key: '',
    securityKey: '',
    mayEnd: false,
    down: undefined,
    async start() {
      isEndExpected = false
      const server = await installation.start(clock.env)
      program.server = server
      setProbeOrigin(server.origin)
      void server.ended.then((code) => recordEnd(server, code))
      return server
    },
    async restart(window) {
      await program.start()
      record.close(window)
      program.down = undefined
    },
    async kill() {
      const { server } = program
      if (!server) return undefined
      isEndExpected = true
      const window = record.open('kill -9', true)
      setProbeOrigin(null)
      program.server = undefined
      server.signal('SIGKILL')
      await server.ended
      return window
    },
    setClock: clock.set,
    async stop() {
      const { server } = program
      if (!server) return
      isEndExpected = true
      setProbeOrigin(null)
      program.server = undefined
      server.signal('SIGTERM')
      const code = await server.ended
      if (code !== 0) record.problem('process', `It stopped with ${code}: ${server.stderr()}`)
    },
  }

  /** Records an unexpected end. A supervisor restarts the program. */
  function recordEnd(server: Server, code: number | NodeJS.Signals) {
    if (isEndExpected) return
    program.server = undefined
    setProbeOrigin(null)
    const down = record.open(`unexpected end (${code})`, true)
    down.from -= DETECTION_MS
    program.down = down
    record.add(program.mayEnd ? 'ends on a full disk' : 'unexpected ends')
    if (program.mayEnd) return
    const faults = record.faultsDuring(down.from, Date.now())
    const output = server.stderr().slice(-800)
    record.problem('process', `It ended with ${code} during ${faults}: ${output}`)
  }
  return program
}

/** Starts the program for the first time, and creates keys without a rate limit. */
export async function createKeys(program: Program): Promise<void> {
  const server = await program.start()
  program.store = server.live.id
  program.key = (await createKey(program, 'store')).key
  program.securityKey = (await createKey(program, 'security')).key
}

async function createKey({ installation, store }: Program, kind: string): Promise<Json> {
  const options = ['--store', store, '--permissions', 'all', '--rate-limit', '0', '--kind', kind]
  const { code, stdout, stderr } = await installation.run(['keys', 'create', ...options, '--json'])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
