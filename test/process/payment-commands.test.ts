import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, startFakeStripe } from '../providers/stripe.ts'
import { createMigratedInstallation } from './spawn-server.ts'

test('a provider is connected with keys from standard input, with and without a running server', async () => {
  const stripe = await startFakeStripe()
  const installation = await createMigratedInstallation({ TRADEPOST_STRIPE_URL: stripe.url })
  try {
    const keys = join(installation.dataDir, 'stripe.keys')
    const lines = (key: string) => `secret_key=${key}\nwebhook_secret=${STRIPE_WEBHOOK_SECRET}\n`
    const connect = async (key: string) => {
      await writeFile(keys, lines(key))
      return installation.run(['payments', 'connect', 'stripe', '--test'], {}, `exec < '${keys}'`)
    }
    const server = await installation.start()
    const refused = await connect('sk_test_51Wrong')
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/^secret_key: Stripe refused this key\./)
    const connected = await connect(STRIPE_KEY)
    expect([connected.code, connected.stderr]).toEqual([0, ''])
    expect(connected.stdout).toMatch(/^stripe is connected to Ada Games\.\n/)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)

    const again = await connect(STRIPE_KEY)
    expect([again.code, again.stdout]).toEqual([0, connected.stdout.replace(/:\d+\//, ':0/')])
    const empty = await installation.run(['payments', 'connect', 'stripe', '--test'])
    expect([empty.code, empty.stderr]).toEqual([
      2,
      'Standard input: a line secret_key=… is missing.\n',
    ])
    stripe.keys.clear()
    const checked = await installation.run(['payments', 'check', '--test', '--json'])
    expect(checked.code).toBe(1)
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false })
  } finally {
    await installation.close()
    await stripe.close()
  }
})
