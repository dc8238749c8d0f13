import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FakeSmtp, startFakeSmtp } from '../fake-smtp.ts'
import { selfSigned } from '../self-signed.ts'
import { until } from '../until.ts'
import { call, type Target, targetOf } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

test.each(['starttls', 'implicit'] as const)(
  'mail is sent with TLS (%s) to a server whose certificate the operator trusts, and nothing is sent in plain text (decision 128)',
  async (tls) => {
    const certificate = selfSigned()
    const smtp = await startFakeSmtp({ [tls]: certificate })
    const installation = await createMigratedInstallation()
    const ca = join(tmpdir(), `tradepost-ca-${process.pid}-${tls}.pem`)
    try {
      await writeFile(ca, certificate.cert)
      const server = await installation.start({
        NODE_EXTRA_CA_CERTS: ca,
        TRADEPOST_SMTP_URL: `${smtp.url.replace('//', '//user:hunter2@')}&tls=required`,
      })
      await sellAndResend(targetOf(server))
      await until(() => smtp.letters.length > 0)
      expectEncrypted(smtp)
    } finally {
      await installation.close()
      await smtp.close()
    }
  },
)

async function sellAndResend(target: Target): Promise<void> {
  const { json } = await call(target, 'GET', '/products')
  const body = {
    items: [{ product_id: json.products[0].id, quantity: 1 }],
    customer: { email: 'ada@example.com' },
    mark_paid: true,
  }
  const { order } = (await call(target, 'POST', '/orders', { body })).json
  expect((await call(target, 'POST', `/orders/${order.id}/deliveries/resend`)).status).toBe(200)
}

function expectEncrypted({ letters, plaintextLines }: FakeSmtp): void {
  expect(letters).toMatchObject([{ to: ['ada@example.com'], encrypted: true }])
  expect(letters[0]?.data).toContain('DEMO-')
  expect(plaintextLines.filter((line) => !/^(EHLO|STARTTLS)/.test(line))).toEqual([])
}
