import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { SECOND_MS } from '../kernel/time.ts'

/**
 * The handles of the listening socket. In a turn of its event loop, Node accepts one connection for each
 * handle. With one handle, a caller behind a flood of 512 connections waits for 512 turns, which are
 * 0.5 to 1 s on a busy machine (decision 121).
 */
export const HANDLES = 16

const COPY_MAX_MS = 10 * SECOND_MS

/**
 * The program of the child process, which sends the handle back `count` times. Node can copy a handle
 * only by sending it to another process.
 */
const SEND_BACK = `process.on('message', (count, handle) => {
  for (let sent = 0; sent < count; sent++) process.send(sent, handle)
})`

/**
 * Opens `count` more handles of the listening socket of `server`. Their connections are served by
 * `server`, but `server.close()` does not close the handles. Resolves to the servers of the handles:
 * fewer than `count` if the child process fails or `signal` aborts.
 */
export function openMoreHandles(
  server: Server,
  count: number,
  signal: AbortSignal,
): Promise<Server[]> {
  const servers: Server[] = []
  // The child gets no environment, and Node does not start without one on Windows.
  if (signal.aborted || process.platform === 'win32') return Promise.resolve(servers)
  return new Promise((resolve) => {
    const child = startChild()
    const killChild = () => void child.kill('SIGKILL')
    const timer = setTimeout(killChild, COPY_MAX_MS).unref()
    signal.addEventListener('abort', killChild, { once: true })
    let isFinished = false
    const finish = () => {
      isFinished = true
      clearTimeout(timer)
      signal.removeEventListener('abort', killChild)
      resolve(servers)
    }
    child.on('message', (_, handle) => {
      // The handle is missing if `server` was closed; a new server would then listen on a random port.
      if (!handle) return killChild()
      const copy = listenOn(handle, server)
      // A message may arrive after the child process has ended.
      if (isFinished) copy.close()
      else if (servers.push(copy) === count) child.disconnect()
    })
    child.once('error', finish)
    child.once('exit', finish)
    child.send(count, handleOf(server), () => undefined)
  })
}

function startChild(): ChildProcess {
  const child = spawn(process.execPath, ['--eval', SEND_BACK], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The child must not get secrets, or Node options that are meant for this process.
    env: {},
  })
  child.unref()
  return child
}

/** Returns the bare handle, because a child process that received a server would accept connections. */
const handleOf = (server: Server) => (server as unknown as { _handle: SendHandle })._handle

function listenOn(handle: SendHandle, server: Server): Server {
  // These are the options with which Node's HTTP server opens its handle.
  const copy = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket)
  })
  return copy.listen(handle)
}
