import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../harness.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Server,
} from '../../process/spawn-server.ts'
import type { FaultWindow, SoakRecord } from './record.ts'

/** The built program with its keys, which outlive every restart. */
export interface Program {
  installation: Installation
  /** Undefined while it is down. */
  server: Server | undefined
  store: string
  key: string
  /** Key of the Client Security API. */
  securityKey: string
  /** Starts it, and reports an unexpected end. */
  start(): Promise<Server>
  /** Starts it again after it was killed or has exited. */
  restart(window: FaultWindow): Promise<void>
  /** Undefined if it was down already. */
  kill(): Promise<FaultWindow | undefined>
  setClock(shift_ms: number): Promise<void>
  /** True if its end would be part of the current fault. */
  mayEnd: boolean
  /** The window of faults that is open since it exited. */
  down: FaultWindow | undefined
  stop(): Promise<void>
}

const SHIFTED = fileURLToPath(new URL('../../process/shifted-clock.mjs', import.meta.url))
/** Its threads read the file each 10 ms. */
const CLOCK_SEEN_MS = 100
/** Its sockets are gone this long before its end is noticed. */
const NOTICED_MS = 500

export async function openProgram(
  record: SoakRecord,
  env: Record<string, string>,
  aim: (origin: string | null) => void,
): Promise<Program> {
  const installation = await createMigratedInstallation(env)
  const shiftFile = join(installation.dataDir, '..', 'shift')
  await writeFile(shiftFile, '0')
  let isMeant = false

  const program: Program = {
    installation,
    server: undefined,
    store: '',
    key: '',
    securityKey: '',
    mayEnd: false,
    down: undefined,
    async start() {
      isMeant = false
      const server = await installation.start({
        SHIFT_FILE: shiftFile,
        NODE_OPTIONS: `--import=${SHIFTED}`,
      })
      program.server = server
      aim(server.origin)
      void server.ended.then((code) => noticeEnd(server, code))
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
      isMeant = true
      const window = record.open('kill -9', true)
      aim(null)
      program.server = undefined
      server.signal('SIGKILL')
      await server.ended
      return window
    },
    async setClock(shift_ms) {
      await writeFile(shiftFile, String(shift_ms))
      await pause(CLOCK_SEEN_MS)
    },
    async stop() {
      const { server } = program
      if (!server) return
      isMeant = true
      aim(null)
      program.server = undefined
      server.signal('SIGTERM')
      const code = await server.ended
      if (code !== 0) record.problem('process', `It stopped with ${code}: ${server.stderr()}`)
    },
  }

  /** Whatever ends it, it is started again, as a supervisor would. */
  function noticeEnd(server: Server, code: number | NodeJS.Signals) {
    if (isMeant) return
    program.server = undefined
    aim(null)
    const down = record.open(`ended by itself (${code})`, true)
    down.from -= NOTICED_MS
    program.down = down
    record.add(program.mayEnd ? 'ends on a full disk' : 'ends by itself')
    const words = `It ended with ${code} during ${record.faultsOn(down.from, Date.now())}: `
    if (!program.mayEnd) record.problem('process', words + server.stderr().slice(-800))
  }
  return program
}

/** Starts the program for the first time, and makes keys without a rate limit. */
export async function makeKeys(program: Program): Promise<void> {
  const server = await program.start()
  program.store = server.live.id
  program.key = (await keyOf(program, 'store')).key
  program.securityKey = (await keyOf(program, 'security')).key
}

async function keyOf({ installation, store }: Program, kind: string): Promise<Json> {
  const options = ['--store', store, '--permissions', 'all', '--rate-limit', '0', '--kind', kind]
  const { code, stdout, stderr } = await installation.run(['keys', 'create', ...options, '--json'])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
