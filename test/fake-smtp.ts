import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import type { Certificate } from './self-signed.ts'

interface Letter {
  from: string
  to: string[]
  /** Headers and text, as received. */
  data: string
  /** True if the email arrived over TLS. */
  encrypted: boolean
}

/** A mail server that speaks SMTP, stores received emails, and refuses when a test says so. */
export interface FakeSmtp {
  url: string
  letters: Letter[]
  /** The replies with which the next emails are refused, such as `451 Later.` */
  refusals: string[]
  /** The command lines that were received without TLS. */
  plaintextLines: string[]
  close(): Promise<void>
}

/** The certificate of a server that encrypts from the first byte (`implicit`) or that offers STARTTLS. */
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
  const plaintextLines: string[] = []
  const sockets = new Set<Socket>()
  const accept = (letter: Letter) => {
    const refusal = refusals.shift()
    if (!refusal) letters.push(letter)
    return refusal ?? '250 Accepted.'
  }
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.write('220 fake\r\n')
    serveSmtp(socket, { accept, plaintextLines, starttls })
  }
  const server = implicit ? createTlsServer(implicit, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${implicit ? 'smtps' : 'smtp'}://127.0.0.1:${port}?from=shop@example.com`,
    letters,
    refusals,
    plaintextLines,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface SmtpHandlers {
  accept(letter: Letter): string
  plaintextLines: string[]
  starttls?: Certificate
}

function serveSmtp(socket: Socket, { accept, plaintextLines, starttls }: SmtpHandlers) {
  const encrypted = socket instanceof TLSSocket
  let letter: Letter = { from: '', to: [], data: '', encrypted }
  let isReadingData = false
  let unparsed = ''
  const reply = (line: string) => socket.write(`${line}\r\n`)
  const address = (line: string) => /<(.*)>/.exec(line)?.[1] ?? ''
  /** The commands by their first four letters. `STAR` is STARTTLS. */
  const commands: Record<string, (line: string) => void> = {
    EHLO: () =>
      reply(starttls ? '250-fake\r\n250-AUTH PLAIN\r\n250 STARTTLS' : '250-fake\r\n250 AUTH PLAIN'),
    HELO: () => reply('250 fake'),
    AUTH: () => reply('235 OK'),
    STAR: () => {
      if (!starttls) {
        reply('502 What?')
        return
      }
      reply('220 Go on.')
      socket.removeAllListeners('data')
      const encryptedSocket = new TLSSocket(socket, { isServer: true, ...starttls })
      encryptedSocket.on('error', () => {})
      serveSmtp(encryptedSocket, { accept, plaintextLines })
    },
    MAIL: (line) => {
      letter = { from: address(line), to: [], data: '', encrypted }
      reply('250 OK')
    },
    RCPT: (line) => {
      letter.to.push(address(line))
      reply('250 OK')
    },
    DATA: () => {
      isReadingData = true
      reply('354 Go on.')
    },
    RSET: () => reply('250 OK'),
    QUIT: () => socket.end('221 Bye.\r\n'),
  }
  const receive = (line: string) => {
    if (!isReadingData) {
      if (!encrypted) plaintextLines.push(line)
      const command = commands[line.slice(0, 4).toUpperCase()]
      return command ? command(line) : reply('502 What?')
    }
    if (line !== '.') letter.data += `${line.replace(/^\.\./, '.')}\n`
    else {
      isReadingData = false
      reply(accept(letter))
    }
  }
  socket.on('data', (bytes) => {
    const lines = (unparsed + bytes.toString()).split('\r\n')
    unparsed = lines.pop() ?? ''
    for (const line of lines) receive(line)
  })
}
