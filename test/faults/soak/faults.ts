import type { Chance } from '../../chance.mjs'
import type { PostgresServer } from '../../postgres/server.ts'
import { elapse } from '../../until.ts'
import type { Api } from './api.ts'
import { hostileBodies, sendConcurrently } from './hostile.ts'
import type { Program } from './program.ts'
import type { SoakReceiver } from './receiver.ts'
import type { SoakRecord } from './record.ts'
import { holdSilentSockets } from './silent-sockets.ts'
import type { SmallDisk } from './small-disk.ts'

interface FaultTools {
  api: Api
  record: SoakRecord
  chance: Chance
  program: Program
  receiver: SoakReceiver
  disk: SmallDisk | undefined
  target: { product: string; appId: string }
}

type Fault = (tools: FaultTools) => Promise<void>

const HOUR_MS = 3_600_000
const JUMPS_MS = [-HOUR_MS, HOUR_MS, -60_000, 90_000]
const CONCURRENT_BODIES = 3
const SILENT_MS = 6_000

const waitRandomly = (chance: Chance, max_ms = 4_000) =>
  elapse(max_ms / 2 + (chance() * max_ms) / 2)

const FAULTS: Record<string, Fault> = {
  async 'kill -9'({ program, chance }) {
    const window = await program.kill()
    if (!window) return
    await elapse(chance() * 500)
    await program.restart(window)
  },

  async 'kill -9 twice'({ program, chance }) {
    for (let kills = 0; kills < 2; kills++) {
      const window = await program.kill()
      if (window) await program.restart(window)
      await elapse(chance() * 1_000)
    }
  },

  async 'clock jump'({ record, program, chance }) {
    const shift_ms = chance.pick(JUMPS_MS)
    const direction = shift_ms < 0 ? 'back' : 'ahead'
    await during(record, `clock ${Math.abs(shift_ms) / 1_000} s ${direction}`, async () => {
      await program.setClock(shift_ms)
      await waitRandomly(chance)
      await program.setClock(0)
    })
  },

  async 'clock jump and kill'({ record, program, chance }) {
    const shift_ms = chance.pick(JUMPS_MS)
    await during(record, `clock ${shift_ms / 1_000} s over a kill`, async () => {
      await program.setClock(shift_ms)
      const window = await program.kill()
      if (window) await program.restart(window)
      await waitRandomly(chance, 2_000)
      await program.setClock(0)
    })
  },

  async 'full disk'({ record, program, disk, chance }) {
    if (!disk) return
    await during(record, 'full disk', async () => {
      program.mayEnd = true
      await disk.fill()
      await waitRandomly(chance)
      await disk.free()
    })
    program.mayEnd = false
  },

  async 'silent sockets'({ record, program, chance }) {
    const { server } = program
    if (!server) return
    await during(record, 'silent sockets', async () => {
      const closed = await holdSilentSockets(server.origin, chance, SILENT_MS)
      record.add('silent sockets closed by the program', closed)
    })
  },

  async 'hostile bodies'({ record, api, chance, target }) {
    for (const body of chance.shuffle(hostileBodies(target.product, target.appId))) {
      await during(record, `hostile: ${body.name}`, () =>
        sendConcurrently(api, body, CONCURRENT_BODIES),
      )
      if (api.isStopped) return
    }
  },

  async 'receiver down'({ record, receiver, chance }) {
    await during(record, 'receiver down', async () => {
      receiver.mode = 'down'
      await waitRandomly(chance)
      receiver.mode = 'unreliable'
    })
  },
}

async function during(record: SoakRecord, name: string, work: () => Promise<unknown>) {
  const window = record.open(name)
  try {
    await work()
  } finally {
    record.close(window)
  }
}

export const FAULT_NAMES: readonly string[] = Object.keys(FAULTS)

/** Runs each of the named faults once in each round, in random order, until the load is over. */
export async function causeFaults(tools: FaultTools, names: readonly string[]): Promise<void> {
  const { api, record, chance } = tools
  while (!api.isStopped) {
    for (const name of chance.shuffle([...names])) {
      if (api.isStopped) return
      record.add(`fault: ${name}`)
      await FAULTS[name]?.(tools)
      await elapse(300 + chance() * 1_500)
    }
  }
}

const POLL_MS = 200

/** Restarts the program if it exits, as a supervisor does, until `isOver` returns true. */
export async function supervise(program: Program, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    // The start is refused while the disk is full.
    if (program.down) await program.restart(program.down).catch(() => undefined)
    await elapse(POLL_MS)
  }
}

/** Restarts PostgreSQL if it ends. It ends some time after a failed write to its log. */
export async function superviseServer(
  server: PostgresServer,
  record: SoakRecord,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    if (server.hasEnded()) {
      // The start is refused while the disk is full.
      const hasStarted = await server.start().then(
        () => true,
        () => false,
      )
      if (hasStarted) record.add('ends of PostgreSQL')
    }
    await elapse(POLL_MS)
  }
}
