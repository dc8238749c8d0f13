import { expect, type TestContext, test } from 'vitest'
import { stopwatch } from '../clock.ts'
import { keepPort } from '../ports.ts'
import type { PostgresServer } from '../postgres/server.ts'
import { until } from '../until.ts'
import { ownPostgres, settingsFor } from './real-postgres.ts'
import { createInstallation, type Installation } from './spawn-server.ts'

/** Shorter than the 3 s for which a call may wait for a connection. */
const IMMEDIATE_MS = 2_500

test('a process whose database cannot be reached yet answers /healthz, answers 503 to calls, and opens once the database starts', async (context) => {
  await withPostgres(context, async (postgres, env) => {
    await postgres.stop()
    const installation = await createInstallation(env)
    try {
      const server = installation.spawn(['start', '--demo'])
      const origin = `http://127.0.0.1:${env.PORT}`
      await until(async () => (await statusOf(`${origin}/healthz`)) === 200)
      for (const path of ['/readyz', '/v1/products']) {
        const answer = await fetch(origin + path)
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('1')
        expect(await answer.json()).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' })
      }

      // A quick database server would start before the first attempt to reach it.
      await until(() => server.stdout().includes('The database cannot be reached yet'))
      await postgres.start()
      await until(async () => (await statusOf(`${origin}/readyz`)) === 200)
      // The log names the host, but not the password.
      expect(server.stdout() + server.stderr()).not.toContain('not-for-logs')
    } finally {
      await installation.close()
    }
  })
})

test('a process whose database stops answers 503 immediately, continues, and serves again once the database has started', async (context) => {
  await withPostgres(context, async (postgres, env) => {
    const installation = await createInstallation(env)
    try {
      const server = await installation.start()
      const { origin, live } = server
      const headers = { 'x-api-key': live.api_key ?? '', 'x-store-hash': live.id }
      const listProducts = () => fetch(`${origin}/v1/products`, { headers })
      expect((await listProducts()).status).toBe(200)

      await postgres.stop('immediate')
      for (const call of [listProducts, () => fetch(`${origin}/readyz`), listProducts]) {
        const elapsed_ms = stopwatch()
        const answer = await call()
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('1')
        expect(elapsed_ms()).toBeLessThan(IMMEDIATE_MS)
      }
      expect(await statusOf(`${origin}/healthz`)).toBe(200)
      const refusals = server.stdout().match(/.*"SERVICE_UNAVAILABLE".*/g) ?? []
      expect(refusals.length).toBeGreaterThanOrEqual(2)
      // The log has one line for each refused call, without a stack.
      for (const line of refusals) {
        expect(JSON.parse(line)).toMatchObject({ level: 40, reason: expect.any(String) })
        expect(line).not.toContain('node:')
      }

      await postgres.start()
      await until(async () => (await listProducts()).status === 200)
      expect(await statusOf(`${origin}/readyz`)).toBe(200)
    } finally {
      await installation.close()
    }
  })
})

test('SIGTERM during the wait for the database ends the process immediately', async () => {
  await withWaitingProcess(async ({ running }) => {
    const elapsed_ms = stopwatch()
    running.signal('SIGTERM')
    expect(await running.ended).toBe(0)
    // The process would give up after 30 s.
    expect(elapsed_ms()).toBeLessThan(25_000)
    expect(running.stderr()).toBe('')
  })
})

// KILLS=20 runs the long forms, and this one waits 30 s.
if (process.env.KILLS !== undefined) {
  test('a process whose database never answers gives up after 30 s with exit code 1', async () => {
    await withWaitingProcess(async ({ running, waited_ms }) => {
      expect(await running.ended).toBe(1)
      expect(waited_ms()).toBeGreaterThan(20_000)
      expect(running.stderr()).toMatch(
        /could not be reached for 30 s: ECONNREFUSED\. Check DATABASE_URL and the server\.\n$/,
      )
      expect(running.stdout() + running.stderr()).not.toContain('not-for-logs')
    })
  })
}

type Env = Record<string, string>

/** Runs the work with a database server. The test needs PORT, because the ready file does not exist yet. */
async function withPostgres(
  context: TestContext,
  work: (postgres: PostgresServer, env: Env) => Promise<void>,
) {
  const postgres = await ownPostgres(context)
  try {
    const url = new URL(postgres.url)
    url.password = 'not-for-logs'
    await work(postgres, {
      ...settingsFor(url.href),
      PORT: String(await keepPort()),
    })
  } finally {
    await postgres.close()
  }
}

interface WaitingProcess {
  running: ReturnType<Installation['spawn']>
  /** The time since the start. */
  waited_ms: () => number
}

/** Runs the work with a process that waits for its database, which does not exist. */
async function withWaitingProcess(work: (waiting: WaitingProcess) => Promise<void>) {
  const [unusedPort, port] = [await keepPort(), await keepPort()]
  const installation = await createInstallation({
    ...settingsFor(`postgres://shop:not-for-logs@127.0.0.1:${unusedPort}/shop`),
    PORT: String(port),
  })
  try {
    const waited_ms = stopwatch()
    const running = installation.spawn(['start'])
    await until(async () => (await statusOf(`http://127.0.0.1:${port}/healthz`)) === 200)
    await work({ running, waited_ms })
  } finally {
    await installation.close()
  }
}

const statusOf = (url: string): Promise<number | undefined> =>
  fetch(url).then(
    ({ status }) => status,
    () => undefined,
  )
