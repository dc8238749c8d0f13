import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { SECOND_MS } from '../kernel/time.ts'

/**
 * Node accepts one connection for each handle of a listening socket in a turn of its event loop.
 * With one handle a caller behind a flood of 512 connections waits for 512 turns, each with the
 * work of other requests in it: 0.5 to 1 s on a busy machine (decision 319).
 */
export const HANDLES = 16

const COPY_MAX_MS = 10 * SECOND_MS

/**
 * Program of the child process: sends the handle back `count` times. Node can copy a handle only
 * by sending it to another process.
 */
const SEND_BACK = `process.on('message', (count, handle) => {
  for (let sent = 0; sent < count; sent++) process.send(sent, handle)
})`

/**
 * Opens further handles of the socket that `server` listens on. Their connections are connections
 * of `server`, but `server.close()` does not close the handles.
 *
 * Resolves to the servers that hold the handles; to fewer than `count` if the child process fails,
 * or is ended by `signal`.
 */
export function openMoreHandles(
  server: Server,
  count: number,
  signal: AbortSignal,
): Promise<Server[]> {
  const opened: Server[] = []
  // Without an environment Node does not start on Windows.
  if (signal.aborted || process.platform === 'win32') return Promise.resolve(opened)
  return new Promise((resolve) => {
    const child = startChild()
    const end = () => void child.kill('SIGKILL')
    const timer = setTimeout(end, COPY_MAX_MS).unref()
    signal.addEventListener('abort', end, { once: true })
    let isOver = false
    const finish = () => {
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(opened)
    }
    child.on('message', (_, handle) => {
      // Without a handle, as of a server that was closed meanwhile, a new server would take any port.
      if (!handle) return end()
      const more = listenOn(handle, server)
      // A message may arrive after the end of the process that sent it.
      if (isOver) more.close()
      else if (opened.push(more) === count) child.disconnect()
    })
    child.once('error', finish)
    child.once('exit', finish)
    child.send(count, handleOf(server), () => undefined)
  })
}

function startChild(): ChildProcess {
  const child = spawn(process.execPath, ['--eval', SEND_BACK], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // No secrets, and no options that debug or measure this process.
    env: {},
  })
  child.unref()
  return child
}

/** The handle itself: a process that gets a server accepts connections on it. */
const handleOf = (server: Server) => (server as unknown as { _handle: SendHandle })._handle

function listenOn(handle: SendHandle, server: Server): Server {
  // The options that Node's HTTP server gives its own handle.
  const more = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket)
  })
  return more.listen(handle)
}
