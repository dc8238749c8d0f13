import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, ping } from './database.ts'
import { openEngine } from './embedded/engine.ts'

/** Opens an engine and returns its `connect`. The streams answer late, as on a busy machine. */
async function openLateConnect(late_ms: number) {
  const engine = await openEngine()
  onTestFinished(() => engine.close())
  const connect = () => {
    const stream = engine.connect()
    const { push } = stream
    let delayedChunks: Parameters<typeof push>[] | undefined = []
    stream.push = (...chunk) => {
      if (!delayedChunks) return push.apply(stream, chunk)
      delayedChunks.push(chunk)
      return true
    }
    setTimeout(() => {
      for (const chunk of delayedChunks ?? []) push.apply(stream, chunk)
      delayedChunks = undefined
    }, late_ms)
    return stream
  }
  return connect
}

test('the first connection has the timeout of a start, and later connections that of a call (decision 130)', async () => {
  const stream = await openLateConnect(500)
  const options = { stream, connectionWait_ms: 50 }
  const patientDb = openDatabase({ ...options, firstConnection_ms: 60_000 })
  onTestFinished(() => patientDb.destroy())
  await ping(patientDb)
  await patientDb.transaction().execute(() => {
    return expect(ping(patientDb)).rejects.toThrow('The queue for a database connection')
  })
  const hastyDb = openDatabase(options)
  onTestFinished(() => hastyDb.destroy())
  await expect(ping(hastyDb)).rejects.toThrow('connection timeout')
})
