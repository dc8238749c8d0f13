// A Redis server, if the program is installed. It is as durable as a database: its append-only file is
// flushed before each answer.
import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openFolder } from './bench.mjs'
import { endChild, freePort, hasEnded } from './children.mjs'

const PROGRAMS = ['redis-server', 'valkey-server']
const START_TIMEOUT_MS = 10_000

/** Returns the port and the process; undefined if redis-server is not on the PATH. */
export async function openRedis(later) {
  const program = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0)
  if (!program) return undefined
  const port = await freePort()
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', openFolder(later)]
  const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  const child = spawn(program, [...place, ...durable], { stdio: 'ignore' })
  later(() => endChild(child))
  const until = Date.now() + START_TIMEOUT_MS
  while (!(await accepts(port))) {
    if (hasEnded(child) || Date.now() > until) throw new Error(`${program} does not start.`)
    await pause(20)
  }
  return { port, pid: child.pid }
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
