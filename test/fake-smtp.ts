import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import type { Certificate } from './self-signed.ts'

export interface Letter {
  from: string
  to: string[]
  /** Headers and text, as they came. */
  data: string
  /** True if it came over TLS. */
  encrypted: boolean
}

/** A mail server that speaks SMTP, keeps its mail, and refuses on request. */
export interface FakeSmtp {
  url: string
  letters: Letter[]
  /** Answers to the next letters instead of taking them, such as `451 Later.` */
  refusals: string[]
  /** Every command that came in clear. */
  clear: string[]
  close(): Promise<void>
}

/** Encrypts from the first byte (`implicit`), or offers STARTTLS; neither without a certificate. */
export interface FakeSmtpOptions {
  starttls?: Certificate
  implicit?: Certificate
}

export async function startFakeSmtp({
  starttls,
  implicit,
}: FakeSmtpOptions = {}): Promise<FakeSmtp> {
  const letters: Letter[] = []
  const refusals: string[] = []
  const clear: string[] = []
  const sockets = new Set<Socket>()
  const take = (letter: Letter) => {
    const refusal = refusals.shift()
    if (!refusal) letters.push(letter)
    return refusal ?? '250 Taken.'
  }
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.write('220 fake\r\n')
    converse(socket, { take, clear, starttls })
  }
  const server = implicit ? createTlsServer(implicit, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${implicit ? 'smtps' : 'smtp'}://127.0.0.1:${port}?from=shop@example.com`,
    letters,
    refusals,
    clear,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Conversation {
  take(letter: Letter): string
  clear: string[]
  starttls?: Certificate
}

function converse(socket: Socket, { take, clear, starttls }: Conversation) {
  const encrypted = socket instanceof TLSSocket
  let letter: Letter = { from: '', to: [], data: '', encrypted }
  let reading = false
  let rest = ''
  const say = (line: string) => socket.write(`${line}\r\n`)
  const address = (line: string) => /<(.*)>/.exec(line)?.[1] ?? ''
  const commands: Record<string, (line: string) => void> = {
    EHLO: () =>
      say(starttls ? '250-fake\r\n250-AUTH PLAIN\r\n250 STARTTLS' : '250-fake\r\n250 AUTH PLAIN'),
    HELO: () => say('250 fake'),
    AUTH: () => say('235 OK'),
    STAR: () => {
      if (!starttls) {
        say('502 What?')
        return
      }
      say('220 Go on.')
      socket.removeAllListeners('data')
      const secure = new TLSSocket(socket, { isServer: true, ...starttls })
      secure.on('error', () => {})
      converse(secure, { take, clear })
    },
    MAIL: (line) => {
      letter = { from: address(line), to: [], data: '', encrypted }
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
  const receive = (line: string) => {
    if (!reading) {
      if (!encrypted) clear.push(line)
      const command = commands[line.slice(0, 4).toUpperCase()]
      return command ? command(line) : say('502 What?')
    }
    if (line !== '.') letter.data += `${line.replace(/^\.\./, '.')}\n`
    else {
      reading = false
      say(take(letter))
    }
  }
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) receive(line)
  })
}
