import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FakeSmtp, startFakeSmtp } from '../fake-smtp.ts'
import { until } from '../faults/scene.ts'
import { selfSigned } from '../self-signed.ts'
import { call } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

/** The built program, which trusts a certificate as an operator would have it do. */
test.each(['starttls', 'implicit'] as const)(
  'mail leaves over %s to a server whose certificate is trusted, and nothing in clear (decision 128)',
  async (way) => {
    const certificate = selfSigned()
    const smtp = await startFakeSmtp({ [way]: certificate })
    const installation = await createMigratedInstallation()
    const ca = join(tmpdir(), `tradepost-ca-${process.pid}-${way}.pem`)
    try {
      await writeFile(ca, certificate.cert)
      const { origin, live } = await installation.start({
        NODE_EXTRA_CA_CERTS: ca,
        TRADEPOST_SMTP_URL: `${smtp.url.replace('//', '//user:hunter2@')}&tls=required`,
      })
      await sellAndSend({ origin, store: live.id, key: live.api_key ?? '' })
      await until(() => smtp.letters.length > 0)
      expectEncrypted(smtp)
    } finally {
      await installation.close()
      await smtp.close()
    }
  },
)

async function sellAndSend(target: { origin: string; store: string; key: string }): Promise<void> {
  const { json } = await call(target, 'GET', '/products')
  const body = {
    items: [{ product_id: json.products[0].id, quantity: 1 }],
    customer: { email: 'ada@example.com' },
    mark_paid: true,
  }
  const { order } = (await call(target, 'POST', '/orders', { body })).json
  expect((await call(target, 'POST', `/orders/${order.id}/deliveries/resend`)).status).toBe(200)
}

function expectEncrypted({ letters, clear }: FakeSmtp): void {
  expect(letters).toMatchObject([{ to: ['ada@example.com'], encrypted: true }])
  expect(letters[0]?.data).toContain('DEMO-')
  expect(clear.filter((line) => !/^(EHLO|STARTTLS)/.test(line))).toEqual([])
}
