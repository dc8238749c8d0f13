import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, type TestContext, test } from 'vitest'
import type { PostgresServer } from '../postgres/server.ts'
import { freePort } from '../postgres/workplace.ts'
import { ownPostgres } from './real-postgres.ts'
import { createInstallation, type Installation } from './spawn-server.ts'

const ALERT_MS = 2_500
const RECOVERY_MS = 5_000
/** A busy machine answers late, but no call may wait for the database much longer than this. */
const HANG_MS = 10_000

test('a database that is not reachable yet: alive but not ready, and open automatically once it is', async (context) => {
  await withPostgres(context, async (postgres, env) => {
    await postgres.stop()
    const installation = await createInstallation(env)
    try {
      const starting = installation.start()
      starting.catch(() => undefined)
      const origin = `http://127.0.0.1:${env.PORT}`
      await until(async () => (await statusOf(`${origin}/healthz`)) === 200, HANG_MS)
      for (const path of ['/readyz', '/v1/products']) {
        const answer = await fetch(origin + path)
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('1')
        expect(await answer.json()).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' })
      }

      await postgres.start()
      const server = await starting
      expect(await statusOf(`${origin}/readyz`)).toBe(200)
      // The log names the host, never the password.
      expect(server.stdout()).toContain('The database cannot be reached yet')
      expect(server.stdout() + server.stderr()).not.toContain('not-for-logs')
    } finally {
      await installation.close()
    }
  })
})

test('a database that stops while serving: 503 at once, alive, and open again soon after it returns', async (context) => {
  await withPostgres(context, async (postgres, env) => {
    const installation = await createInstallation(env)
    try {
      const server = await installation.start()
      const { origin, live } = server
      const headers = { 'x-api-key': live.api_key ?? '', 'x-store-hash': live.id }
      const products = () => fetch(`${origin}/v1/products`, { headers })
      expect((await products()).status).toBe(200)

      await postgres.stop('immediate')
      for (const ask of [products, () => fetch(`${origin}/readyz`), products]) {
        const asked = Date.now()
        const answer = await ask()
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('1')
        expect(Date.now() - asked).toBeLessThan(ALERT_MS)
      }
      expect(await statusOf(`${origin}/healthz`)).toBe(200)
      const refusals = server.stdout().match(/.*"SERVICE_UNAVAILABLE".*/g) ?? []
      expect(refusals.length).toBeGreaterThanOrEqual(2)
      // Each of many callers meets it: a line each, which does not say where in our code.
      for (const line of refusals) {
        expect(JSON.parse(line)).toMatchObject({ level: 40, reason: expect.any(String) })
        expect(line).not.toContain('node:')
      }

      await postgres.start()
      await until(async () => (await products()).status === 200, RECOVERY_MS)
      expect(await statusOf(`${origin}/readyz`)).toBe(200)
    } finally {
      await installation.close()
    }
  })
})

test('SIGTERM while it waits for the database ends it at once', async () => {
  await whileWaiting(async ({ waiting }) => {
    waiting.signal('SIGTERM')
    const code = await Promise.race([waiting.ended, pause(HANG_MS, 'still waiting')])
    expect(code).toBe(0)
    expect(waiting.stderr()).toBe('')
  })
})

// KILLS=20 asks for the long forms, and this one waits 30 s.
if (process.env.KILLS !== undefined) {
  test('a database that never comes is given up after 30 s, with exit code 1', async () => {
    await whileWaiting(async ({ waiting, since }) => {
      expect(await waiting.ended).toBe(1)
      expect(Date.now() - since).toBeGreaterThan(20_000)
      expect(Date.now() - since).toBeLessThan(40_000)
      expect(waiting.stderr()).toMatch(/could not be reached for 30 s: ECONNREFUSED\.\n$/)
      expect(waiting.stdout() + waiting.stderr()).not.toContain('not-for-logs')
    })
  })
}

type Env = Record<string, string>

/** The port is chosen here: the ready file, which names it, comes only with the database. */
async function withPostgres(
  context: TestContext,
  work: (postgres: PostgresServer, env: Env) => Promise<void>,
) {
  const postgres = await ownPostgres(context)
  try {
    const url = new URL(postgres.url)
    url.password = 'not-for-logs'
    await work(postgres, {
      DATABASE_URL: url.href,
      TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
      PORT: String(await freePort()),
    })
  } finally {
    await postgres.close()
  }
}

interface Waiting {
  waiting: ReturnType<Installation['spawn']>
  since: number
}

/** A process whose DATABASE_URL points nowhere. */
async function whileWaiting(work: (scene: Waiting) => Promise<void>) {
  const [nowhere, port] = [await freePort(), await freePort()]
  const installation = await createInstallation({
    DATABASE_URL: `postgres://shop:not-for-logs@127.0.0.1:${nowhere}/shop`,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    PORT: String(port),
  })
  try {
    const since = Date.now()
    const waiting = installation.spawn(['start'])
    const alive = async () => (await statusOf(`http://127.0.0.1:${port}/healthz`)) === 200
    await until(alive, HANG_MS)
    await work({ waiting, since })
  } finally {
    await installation.close()
  }
}

const statusOf = (url: string): Promise<number | undefined> =>
  fetch(url).then(
    ({ status }) => status,
    () => undefined,
  )

async function until(holds: () => Promise<boolean>, most_ms: number): Promise<void> {
  const began = Date.now()
  while (!(await holds())) {
    if (Date.now() - began > most_ms) throw new Error(`It took more than ${most_ms} ms.`)
    await pause(20)
  }
}
