// A Redis server, if the program is installed. Its append-only file is flushed before each answer, so that it is as
// durable as PostgreSQL.
import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openFolder } from './bench.mjs'
import { endChild, freePort, hasEnded } from './children.mjs'

const PROGRAMS = ['redis-server', 'valkey-server']
const START_TIMEOUT_MS = 10_000

/** Returns the port and the process id, or undefined if none of the programs is on the PATH. */
export async function openRedis(atEnd) {
  const program = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0)
  if (!program) return undefined
  const port = await freePort()
  const address = ['--port', String(port), '--bind', '127.0.0.1', '--dir', openFolder(atEnd)]
  const durability = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  const child = spawn(program, [...address, ...durability], { stdio: 'ignore' })
  atEnd(() => endChild(child))
  const until = Date.now() + START_TIMEOUT_MS
  while (!(await acceptsConnections(port))) {
    if (hasEnded(child) || Date.now() > until) throw new Error(`${program} does not start.`)
    await pause(20)
  }
  return { port, pid: child.pid }
}

function acceptsConnections(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isAccepted) => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
