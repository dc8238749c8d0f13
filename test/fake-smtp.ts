import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface Letter {
  from: string
  to: string[]
  /** Headers and text, as they came. */
  data: string
}

/** A mail server that speaks SMTP, keeps what it is given, and refuses what it is told to. */
export interface FakeSmtp {
  url: string
  letters: Letter[]
  /** Answers to the next letters instead of taking them, such as `451 Later.` */
  refusals: string[]
  close(): Promise<void>
}

export async function startFakeSmtp(): Promise<FakeSmtp> {
  const letters: Letter[] = []
  const refusals: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    talk(socket, (letter) => {
      const refusal = refusals.shift()
      if (!refusal) letters.push(letter)
      return refusal ?? '250 Taken.'
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?from=shop@example.com`,
    letters,
    refusals,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function talk(socket: Socket, take: (letter: Letter) => string) {
  let letter: Letter = { from: '', to: [], data: '' }
  let reading = false
  let rest = ''
  const say = (line: string) => socket.write(`${line}\r\n`)
  const address = (line: string) => /<(.*)>/.exec(line)?.[1] ?? ''
  const commands: Record<string, (line: string) => void> = {
    EHLO: () => say('250 fake'),
    HELO: () => say('250 fake'),
    MAIL: (line) => {
      letter = { from: address(line), to: [], data: '' }
      say('250 OK')
    },
    RCPT: (line) => {
      letter.to.push(address(line))
      say('250 OK')
    },
    DATA: () => {
      reading = true
      say('354 Go on.')
    },
    RSET: () => say('250 OK'),
    QUIT: () => socket.end('221 Bye.\r\n'),
  }
  const hear = (line: string) => {
    if (!reading) {
      const command = commands[line.slice(0, 4).toUpperCase()]
      return command ? command(line) : say('502 What?')
    }
    if (line !== '.') letter.data += `${line.replace(/^\.\./, '.')}\n`
    else {
      reading = false
      say(take(letter))
    }
  }
  say('220 fake')
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  })
}
